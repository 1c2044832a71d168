internal import CFetchedResults
internal import FetchedResults
internal import SQLiteKit

/// A request as a structure of the C interface. It is safe except for the addresses in the
/// structure: it owns everything that these lead to.
@safe final class RequestDescription {
    @safe private(set) var info = unsafe fr_request_info()
    private var owned: [AnyObject] = []
    /// The values to which `parameters` and `having_parameters` refer.
    private let values: RowValues
    private let havingValues: RowValues

    init(_ request: FetchRequest) {
        values = RowValues(request.parameters.values)
        havingValues = RowValues(request.havingParameters.values)
        unsafe info.entity = request.select == nil ? text(request.entity) : nil
        unsafe info.select = request.select.map { unsafe text($0) }
        unsafe info.predicate = request.predicate.map { unsafe text($0) }
        unsafe info.parameters = array((0..<values.count).map { unsafe borrowedValue(values, $0) })
        unsafe info.parameter_names = request.parameters.names.flatMap { unsafe texts($0) }
        info.parameter_count = values.count
        unsafe info.sorts = array(request.sorts.map { unsafe sort($0) })
        info.sort_count = request.sorts.count
        if let section = request.section { unsafe info.section = sort(section) }
        unsafe info.columns = texts(request.columns)
        info.column_count = request.columns.count
        unsafe info.identity = texts(request.identity)
        info.identity_count = request.identity.count
        info.batch_size = Int64(request.batchSize)
        info.limit = Int64(request.limit ?? -1)
        info.offset = Int64(request.offset)
        unsafe info.cache_name = request.cacheName.map { unsafe text($0) }
        unsafe info.group_by = texts(request.groupBy)
        info.group_by_count = request.groupBy.count
        unsafe info.totals = array(request.totals.map { unsafe total($0) })
        info.total_count = request.totals.count
        unsafe info.having = request.having.map { unsafe text($0) }
        unsafe info.having_parameters = array((0..<havingValues.count).map { unsafe borrowedValue(havingValues, $0) })
        info.having_parameter_count = havingValues.count
        info.totals_of_all_rows = request.totalsOfAllRows
        info.rank_tolerance = request.rankTolerance
    }

    private func total(_ total: Total) -> fr_total {
        unsafe fr_total(
            name: text(total.name), function: fr_total_function(UInt32(total.function.rawValue)),
            expression: total.expression.map { unsafe text($0) })
    }

    private func text(_ text: String) -> UnsafePointer<CChar> {
        let copy = CString(text)
        owned.append(copy)
        return unsafe copy.pointer
    }

    private func texts(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>?>? {
        unsafe array(texts.map { unsafe text($0) })
    }

    private func sort(_ sort: Sort) -> fr_sort {
        var flags = sort.isDescending ? FR_DESCENDING : FR_ASCENDING
        switch sort.nulls {
        case .first: flags |= FR_NULLS_FIRST
        case .last: flags |= FR_NULLS_LAST
        case nil: break
        }
        return unsafe fr_sort(
            key_path: text(sort.keyPath), flags: UInt32(flags), collation: sort.collation.map { unsafe text($0) })
    }

    /// The address of copies of the elements; nil if there are none.
    private func array<Element>(_ elements: [Element]) -> UnsafePointer<Element>? {
        if elements.isEmpty { return nil }
        let copy = LentArray(elements)
        owned.append(copy)
        return unsafe UnsafePointer(copy.values.baseAddress)
    }
}

extension FetchRequest.Parameters {
    fileprivate var values: [Value] {
        switch self {
        case .positional(let values): values
        case .named(let pairs): pairs.map(\.value)
        }
    }

    fileprivate var names: [String]? {
        switch self {
        case .positional: nil
        case .named(let pairs): pairs.map(\.name)
        }
    }
}
