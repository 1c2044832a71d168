import FetchedResults
import SQLiteKit
import TestSupport

extension JSON {
    init(_ request: RequestModel) {
        if let select = request.select, let columns = request.selectColumns {
            var members: [(String, JSON)] = [("select", JSON(select.sql))]
            if let parameters = request.predicate?.parameters, !parameters.isEmpty {
                members.append(("parameters", JSON(values: parameters)))
            }
            members.append(("identity", JSON(select.identity.map { JSON($0) })))
            if let section = select.section { members.append(("section", JSON(section))) }
            members.append(("columns", JSON(columns.map { JSON($0.text) })))
            self.init(members + [("batch", JSON(request.batchSize))])
            return
        }
        var members: [(String, JSON)] = [("entity", JSON(request.entity.name))]
        if request.entity.isView { members.append(("identity", JSON(request.entity.key.map { JSON($0.name) }))) }
        if let predicate = request.predicate {
            members.append(("predicate", JSON(predicate.text)))
            if request.isPredicateNamed {
                members.append(("parameters", ["value": JSON(Cell(predicate.parameters[0]))]))
            } else if !predicate.parameters.isEmpty {
                members.append(("parameters", JSON(values: predicate.parameters)))
            }
        }
        if let section = request.section { members.append(("section", JSON(section))) }
        members.append(("sort", JSON(request.sorts.map { JSON($0) })))
        if let content = request.content { members.append(("columns", JSON(content.map { JSON($0.text) }))) }
        if let limit = request.limit { members.append(("limit", JSON(limit))) }
        if request.offset > 0 { members.append(("offset", JSON(request.offset))) }
        members.append(("batch", JSON(request.batchSize)))
        if !request.totals.isEmpty {
            members.append(("totals", JSON(request.totals.map { JSON($0.total, $0.argument?.collation) })))
        }
        self.init(members)
    }

    /// A request for groups.
    init(
        groups request: FetchRequest, keys: [RequestModel.Path], totals: [(total: Total, collation: TextOrder)]
    ) {
        var members: [(String, JSON)] = [("entity", JSON(request.entity))]
        if !request.identity.isEmpty { members.append(("identity", JSON(request.identity.map { JSON($0) }))) }
        if let predicate = request.predicate { members.append(("predicate", JSON(predicate))) }
        switch request.parameters {
        case .positional(let values): if !values.isEmpty { members.append(("parameters", JSON(values: values))) }
        case .named(let values): members.append(("parameters", JSON(values.map { ($0.name, JSON(Cell($0.value))) })))
        }
        members.append(("groupBy", JSON(keys.map { [JSON($0.text), JSON($0.collation.rawValue)] })))
        members.append(("totals", JSON(totals.map { JSON($0.total, $0.collation) })))
        if let having = request.having, case .positional(let values) = request.havingParameters {
            members += [("having", JSON(having)), ("havingParameters", JSON(values: values))]
        }
        members.append(("sort", JSON(request.sorts.map { ["key": JSON($0.keyPath), "descending": true] })))
        self.init(members + [("batch", JSON(request.batchSize))])
    }

    /// Its name, function and expression, and the collation of this, which decides about extremes.
    private init(_ total: Total, _ collation: TextOrder?) {
        self = [
            JSON(total.name), JSON("\(total.function)"), total.expression.map { JSON($0) } ?? .null,
            collation.map { JSON($0.rawValue) } ?? .null,
        ]
    }

    /// A total that a delivery changed: its name, its section before and after, and its values.
    init(_ change: TotalChange) {
        self = [
            JSON(change.name), change.oldSection.map { JSON($0) } ?? .null,
            change.newSection.map { JSON($0) } ?? .null, JSON(Cell(change.oldValue)), JSON(Cell(change.newValue)),
        ]
    }

    private init(_ criterion: RequestModel.Criterion) {
        let descriptor = criterion.descriptor
        var members: [(String, JSON)] = [("key", JSON(descriptor.keyPath))]
        if descriptor.isDescending { members.append(("descending", true)) }
        if let nulls = descriptor.nulls { members.append(("nulls", nulls == .first ? "first" : "last")) }
        if let collation = descriptor.collation { members.append(("collation", JSON(collation))) }
        self.init(members)
    }

    init(_ map: MapModel) {
        var members: [(String, JSON)] = [
            map.keys.map { ("keys", JSON(values: $0)) } ?? ("sections", JSON(map.sections)),
            ("itemKey", JSON(map.itemKey.text)),
        ]
        if map.keys == nil, let key = map.sectionKey { members.append(("sectionKey", JSON(key))) }
        if let column = map.titleColumn { members.append(("indexTitle", JSON(column))) }
        members.append(("emptySections", JSON(map.emptySections)))
        members.append(("itemsWithoutSection", JSON(map.itemsWithoutSection)))
        self.init(members)
    }

    init(_ sections: EmptySections) { self.init("\(sections)") }
    init(_ items: ItemsWithoutSection) { self.init("\(items)") }
}
