import ChangeSets
import FetchedResults
import SQLiteKit
import TestSupport

/// The contents of a list, as the test reads them from the database by SQL of its own.
struct Picture: Equatable {
    struct Row: Equatable {
        /// The same for the same row of the entity, however its key is spelled.
        let id: [Cell]
        let identity: [Value]
        /// The values that determine the row's place in its section, as they are and as its
        /// collations see them.
        let sortValues: [Cell]
        let sortKeys: [Cell]
        let content: [Cell]

        static func == (a: Row, b: Row) -> Bool { a.id == b.id && a.content == b.content }
    }

    struct Section: Equatable {
        /// Its value as it is spelled, and as its collation sees it; nil for the section of a flat
        /// list.
        var value: Cell?
        var name: String?
        var key: Cell?
        var rows: [Row] = []
        /// The rows that its totals summarize, if these are not the ones that it shows.
        var summarized: [Row]?
        /// In a section map: whether it represents a row, and the contents and the order of that.
        var isRow = false
        var content: [Cell] = []
        var sortKeys: [Cell] = []
        var sortValues: [Cell] = []
        /// The source of the index title, and its text; nil where it is the name.
        var titled: (cell: Cell, text: String?)?

        var indexTitle: String? { (titled.map(\.text) ?? name)?.first.map { String($0).uppercased() } }

        /// The value that stays the same as long as it is the same section.
        var mark: Cell? { isRow ? key : value }

        static func == (a: Section, b: Section) -> Bool { a.value == b.value && a.rows == b.rows }
    }

    var sections: [Section]
    /// The rows that the totals summarize, if these are not the ones that it shows.
    var summarized: [Row]?

    static func == (a: Picture, b: Picture) -> Bool { a.sections == b.sections }

    var rows: [Row] { sections.flatMap(\.rows) }

    var paths: [[Cell]: ListIndexPath] {
        var paths: [[Cell]: ListIndexPath] = [:]
        for (section, rows) in sections.map(\.rows).enumerated() {
            for (row, value) in rows.enumerated() { paths[value.id] = ListIndexPath(section: section, row: row) }
        }
        return paths
    }

    /// The same with its sections as another collation compares them; nil where the list becomes
    /// flat.
    func recoded(by collation: TextOrder?) -> Picture {
        var result = self
        for index in sections.indices {
            if let collation, let value = sections[index].value {
                result.sections[index].key = value.representative(collation)
            }
        }
        return result
    }

    /// A section retains the spelling with which it was inserted.
    func spelled(as old: Picture) -> Picture {
        var result = self
        for index in sections.indices where !sections[index].isRow {
            if let section = old.sections.first(where: { $0.key == sections[index].key }) {
                result.sections[index].value = section.value
                result.sections[index].name = section.name
            }
        }
        return result
    }
}

extension Picture: CustomStringConvertible {
    var description: String {
        sections.enumerated().map { index, section in
            "\t\(index): \(section.value.map { "\($0)" } ?? "")\n"
                + section.rows.map { "\t\t\($0.id) by \($0.sortValues): \($0.content)\n" }.joined()
        }.joined()
    }
}

/// Reads pictures with joins, where the library uses subqueries, and uses the test's own model for
/// every collation.
struct Oracle {
    let connection: Connection

    /// `content` are the columns that were determined when the request was fetched.
    func picture(_ request: RequestModel, content: [RequestModel.Path]) throws -> Picture {
        let entity = request.entity
        let identity = request.identity
        let sectionColumns = request.section.map { [$0.path.sql, "CAST(\($0.path.sql) AS TEXT)"] } ?? []
        let columns = identity.map(\.sql) + sectionColumns + request.sorts.map(\.path.sql) + content.map(\.sql)
        let sql = try request.ranked("SELECT \(columns.joined(separator: ", "))\(request.source)", connection)
        let statement = try connection.prepare(sql)
        try statement.bind(request.rankedParameters)
        var picture = Picture(sections: request.section == nil ? [Picture.Section(key: nil)] : [])
        let firstSort = identity.count + sectionColumns.count
        let firstContent = firstSort + request.sorts.count
        while try statement.step() {
            let record = statement.rowValues(from: 0, count: columns.count)
            if let section = request.section {
                let key = Cell(record, identity.count).representative(section.collation)
                if picture.sections.last?.key != key {
                    let value = Cell(record, identity.count)
                    picture.sections.append(
                        Picture.Section(
                            value: value, name: value.blobText ?? record.value(identity.count + 1).text, key: key))
                }
            }
            let sortValues = request.sorts.indices.map { Cell(record, firstSort + $0) }
            // Columns of a key that holds NULL still break ties, though the rowid replaces it as
            // the identity.
            var ties =
                entity.isKeyNullable ? identity.indices.map { Cell(record, $0).representative(identity[$0].order) } : []
            if !ties.dropLast().contains(.null) { ties = Array(ties.dropLast()) }
            let (id, values) = self.id(record, request, identity.map(\.order))
            picture.sections[picture.sections.count - 1].rows.append(
                Picture.Row(
                    id: id, identity: values, sortValues: sortValues + ties,
                    sortKeys: zip(sortValues, request.sorts).map { $0.representative($1.collation) } + ties,
                    content: content.indices.map { Cell(record, firstContent + $0) }))
        }
        return picture
    }

    private func id(_ record: RowValues, _ request: RequestModel, _ orders: [TextOrder]) -> ([Cell], [Value]) {
        let hasRowid = request.entity.isKeyNullable && !request.isSelect
        let declared = orders.count - (hasRowid ? 1 : 0)
        // Only SQLite can determine which keys a program's collation treats as equal: such keys are
        // distinguished by their bytes.
        let cells = orders.indices.prefix(declared).map {
            Cell(record, $0).representative(orders[$0].isBuiltIn ? orders[$0] : .binary)
        }
        if hasRowid, cells.contains(.null) {
            let nulls = [Value](repeating: .null, count: declared)
            return ([.text(Array("rowid".utf8)), Cell(record, declared), .null], nulls + [record.value(declared)])
        }
        return (cells, (0..<declared).map(record.value))
    }
}
