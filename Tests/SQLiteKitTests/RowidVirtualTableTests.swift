import SQLiteKit
import Testing

@Suite struct RowidVirtualTableTests {
    @Test func joinsTheRowsThatItNames() throws {
        let connection = try Connection.open(path: ":memory:", readOnly: false, create: true)
        defer { connection.close() }
        try connection.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        try connection.execute(
            "WITH n(i) AS (VALUES (-3) UNION ALL SELECT i + 1 FROM n WHERE i < 100) INSERT INTO items SELECT i, 'n' || i FROM n"
        )
        let rowids = try connection.rowidTable()
        #expect(try connection.rowidTable() === rowids)
        let statement = try connection.prepare(
            "SELECT name FROM \(RowidVirtualTable.name) CROSS JOIN items WHERE items.id = \(RowidVirtualTable.columnName)"
        )
        for ids in [[], [5, -3, 1_000, 5, .min, .max], Array(1...100)] as [[Int64]] {
            rowids.removeAll()
            for id in ids { rowids.append(id) }
            var names: [String] = []
            while try statement.step() { names.append(statement.text(0)) }
            #expect(names == ids.filter { (-3...100).contains($0) }.map { "n\($0)" })
        }
    }
}
