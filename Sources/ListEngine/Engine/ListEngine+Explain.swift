internal import SQLiteKit

/// The explanation of a list.
extension ListEngine {
    /// Called in a read transaction. Reads no rows.
    package func explanation() throws -> ListExplanation {
        let sql = compiled.keys.inOrder.sql
        let plan = try connection.queryPlan(sql)
        let isServed = try compiled.neighbours?.areServed() ?? true
        let followsOthers = try mayFollowOthers
        let wholeReads = wholeReads(isServed: isServed, followsOthers: followsOthers)
        let advice = try indexAdvice(plan)
        return ListExplanation(
            sql: sql, plan: plan.map { String(repeating: "  ", count: $0.depth) + $0.text },
            isSorted: plan.contains(where: \.isSort),
            isIncremental: compiled.touched != nil && isServed && wholeReads[.view] == nil
                && !compiled.dependencies.isAnyWrite,
            wholeReads: wholeReads,
            advice: followsOthers ? advice : advice + ["PRAGMA journal_mode = WAL"],
            sections: try mappedSections?.engine.map { [try $0.explanation()] } ?? [])
    }

    /// The occasions on which `rereadReason` has the list read as a whole, except for changes of
    /// the schema.
    private func wholeReads(isServed: Bool, followsOthers: Bool) -> [RereadReason: String] {
        let dependencies = compiled.dependencies
        let isObserved = compiled.touched != nil
        var reads: [RereadReason: String] = [:]
        let tables = dependencies.opaque.map(\.displayName).joined(separator: ", ")
        if dependencies.isAnyWrite {
            reads[reasonForWhole] = "each commit, as SQLite does not report all changes of what it reads"
        } else if reasonForWhole == .view, !tables.isEmpty || !isObserved {
            reads[.view] =
                "a commit that writes to \(tables), as no hook reports the rows of a view, a virtual table or a SELECT"
        } else if !tables.isEmpty {
            reads[.related] = "a commit that writes to \(tables), which a subquery or a virtual table reads"
        }
        guard isObserved else { return reads }
        let many = compiled.many
        let count = many.least == 1000 ? "1,000" : "\(many.least)"
        let share = many.share == 8 ? "an eighth" : "1/\(many.share)"
        let touches =
            "a commit that touches more than \(count) rows"
            + (many.share == .max ? "" : " and more than \(share) of the list")
        if compiled.request.isWindow {
            reads[.window] =
                isServed
                ? "\(touches), or all rows shown"
                : "a commit after which other rows belong to the window, as no index has its order"
        } else {
            reads[.many] = touches
        }
        if compiled.ranks, compiled.request.rankTolerance < .infinity {
            let ranks =
                "a commit after which a share of more than \(compiled.request.rankTolerance) of all documents, or of "
                + "the ones that match, was written since the list was ranked"
                + (compiled.statistics.map { " (\($0.progress))" } ?? "")
            reads[.many] = reads[.many].map { "\($0); \(ranks)" } ?? ranks
        }
        let words = dependencies.indexes.compactMap(\.words).map(\.displayName).joined(separator: ", ")
        if !followsOthers {
            reads[.foreign] = "a commit of another connection, unless the tables have histories"
        } else if !words.isEmpty {
            reads[.foreign] =
                "a commit of another connection that writes to \(words): the log does not show all documents"
        }
        return reads
    }

    /// Whether the log shows which rows other connections touch, or there are none.
    private var mayFollowOthers: Bool {
        get throws {
            let database = compiled.entity.schema
            return try connection.fileName(of: database) == nil || connection.isWriteAhead(database)
        }
    }

    // MARK: Indexes

    /// Statements that create the indexes that the list lacks: for its predicate and order, and to
    /// find the rows that refer to a changed row.
    private func indexAdvice(_ plan: [PlanStep]) throws -> [String] {
        let entity = compiled.entity
        // A virtual table has no indexes.
        guard compiled.touched != nil, entity.textIndex == nil else { return [] }
        let equal = columnsOfEqualTerms
        var advice: [String] = []
        let scans = plan.contains { $0.isScan(of: entity.name, in: entity.schema) }
        if plan.contains(where: \.isSort) || !equal.isEmpty && scans {
            if let terms = try orderTerms(after: equal) {
                advice.append(Self.index(on: entity, equal.map { ($0, quoted($0)) } + terms))
            } else {
                advice.append("no index can have this order: a path through a foreign key, or NULLs at the other end")
            }
        }
        for key in compiled.dependencies.related.map(\.foreignKey) {
            let search = try connection.queryPlan(key.search)
            guard search.contains(where: { $0.isScan(of: key.name, in: key.table.schema) }) else { continue }
            let help =
                key.canHaveIndex
                ? Self.index(on: key.table, key.columns.map { ($0, quoted($0)) })
                : "declare \(key.columns.joined(separator: ", ")) of \(key.table.name) with the type of what it refers "
                    + "to: no index finds the rows that refer to a changed one"
            if !advice.contains(help) { advice.append(help) }
        }
        for index in compiled.dependencies.indexes where index.layout == nil && index.texts != nil {
            advice.append(
                "write to \(index.displayName) with triggers as in FTS5's manual, without WHEN, and with no options "
                    + "that are not in SQLite 3.37: it is then not asked for each touched document")
        }
        return advice
    }

    /// The columns for which the predicate requires one value.
    private var columnsOfEqualTerms: [String] {
        var columns: [String] = []
        for (name, test) in PredicateTerms(compiled.plan.text.sql).terms {
            guard case .values(let operands) = test, operands.count == 1,
                let column = compiled.entity.column(name)?.name, !columns.contains(column)
            else { continue }
            columns.append(column)
        }
        return columns
    }

    /// The terms of an index that has the order of sections and rows, with a name for each; nil if
    /// none can.
    private func orderTerms(after equal: [String]) throws -> [(name: String, sql: String)]? {
        let entity = compiled.entity
        let request = compiled.request
        var terms: [(name: String, sql: String)] = []
        for sort in [request.section].compactMap(\.self) + request.sorts {
            let path = try SchemaReader(connection: connection).key(sort.keyPath, of: entity)
            guard path.paths.allSatisfy(\.hops.isEmpty), sort.nulls.map({ ($0 == .first) != sort.isDescending }) ?? true
            else { return nil }
            let isColumn = path.expression == nil
            if isColumn, equal.contains(path.column.name) { continue }
            var sql = isColumn ? quoted(path.column.name) : sort.keyPath
            if let collation = sort.collation { sql += " COLLATE \(quoted(collation))" }
            if sort.isDescending { sql += " DESC" }
            terms.append((isColumn ? path.column.name : "expression", sql))
        }
        // An index ends with the rowid, or the key of a table without rowids.
        guard !entity.isIdentityRowid, entity.storage.hasRowid else { return terms }
        let known = equal + terms.map(\.name)
        return terms + entity.identityColumns.map(\.name).filter { !known.contains($0) }.map { ($0, quoted($0)) }
    }

    private static func index(on entity: Entity, _ terms: [(name: String, sql: String)]) -> String {
        let name = ([entity.name, "by"] + terms.map(\.name)).joined(separator: "_")
        return "CREATE INDEX \(quoted(entity.schema, name)) ON \(quoted(entity.name)) "
            + "(\(terms.map(\.sql).joined(separator: ", ")))"
    }
}
