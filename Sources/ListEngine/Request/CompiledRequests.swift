internal import SQLiteKit

/// The requests of a connection that lists are using, by all their properties except their
/// parameters' values. Lists that differ only in these share their plan: opening one more prepares
/// nothing.
package final class CompiledRequests {
    private var entries: [ExactText: BackReference<RequestPlan>] = [:]
    private var limit = 64

    package init() {}

    /// A request with other values for the parameters of a compiled one; nil if there is none for
    /// these schema versions.
    func request(
        _ request: FetchRequest, _ versions: [ExactText: Int64]
    ) -> CompiledRequest? {
        guard request.select == nil, !request.hasTotalsOfAllRows, let plan = entries[request.shape]?.target,
            plan.schemaVersions == versions
        else { return nil }
        return CompiledRequest(sharing: plan, request)
    }

    func add(_ compiled: CompiledRequest) {
        // The totals of all rows depend on the values of the predicate's parameters.
        guard !compiled.isSelect, !compiled.request.hasTotalsOfAllRows else { return }
        if entries.count >= limit {
            entries = entries.filter { $1.target != nil }
            limit = max(64, entries.count * 2)
        }
        entries[compiled.request.shape] = compiled.plan.reference
    }
}

extension FetchRequest {
    /// Whether both are the same but for their cache names.
    func isSame(as other: FetchRequest) -> Bool { shape == other.shape && parameters == other.parameters }

    /// All of the request except its parameters' values and its cache name.
    fileprivate var shape: ExactText {
        var shape = ""
        func add(_ text: String?) { shape += text.map { "\($0.utf8.count) \($0)" } ?? "-" }
        func add(_ sort: Sort) {
            add(sort.keyPath)
            add(sort.collation)
            shape += "\(sort.isDescending)\(sort.nulls.map { $0 == .first ? "first" : "last" } ?? "")"
        }
        func add(_ texts: [String]) {
            shape += "\(texts.count):"
            for text in texts { add(text) }
        }
        add(entity)
        add(identity)
        add(predicate)
        add(columns)
        add(additionalColumns)
        shape += "\(rankTolerance),\(batchSize),\(limit ?? -1),\(offset),\(sorts.count):"
        for sort in sorts { add(sort) }
        for total in totals {
            add(total.name)
            shape += "\(total.function)"
            add(total.expression)
        }
        if totalsOfAllRows { shape += "all" }
        if let section { add(section) }
        switch parameters {
        case .positional(let values): shape += "?\(values.count)"
        case .named(let values): add(values.map(\.name))
        }
        return ExactText(shape)
    }
}
