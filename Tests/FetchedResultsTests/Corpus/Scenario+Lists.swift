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
        self.init(members)
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
