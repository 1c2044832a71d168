internal import SQLiteKit

/// Computes virtual generated columns of rows of the past, by putting their stored columns into an empty table of the same
/// declaration in a database of its own.
final class GeneratedColumns {
    private let connection: Connection
    private let insert: Statement
    private let select: Statement
    private let clear: Statement
    private let stored: [Int]

    /// nil if the declaration needs something of the program, such as its functions.
    init?(entity: Entity, declaration: String) {
        do {
            connection = try Connection.open(path: ":memory:", readOnly: false, create: true)
            try connection.execute("PRAGMA foreign_keys = OFF")
            try connection.execute("PRAGMA ignore_check_constraints = ON")
            try connection.execute(declaration)
            stored = entity.columns.indices.filter { entity.columns[$0].isStored && !entity.columns[$0].isGenerated }
            let names = stored.map { quoted(entity.columns[$0].name) }.joined(separator: ", ")
            let parameters = stored.map { _ in "?" }.joined(separator: ", ")
            let all = entity.columns.map { quoted($0.name) }.joined(separator: ", ")
            let table = quoted(entity.name)
            insert = try connection.prepare("INSERT INTO \(table) (\(names)) VALUES (\(parameters))")
            select = try connection.prepare("SELECT \(all) FROM \(table)")
            clear = try connection.prepare("DELETE FROM \(table)")
        } catch {
            return nil
        }
    }

    /// All columns of a row of which an image has the stored ones; nil if they can't be computed.
    func complete(_ image: Record) -> Record? {
        do {
            for (index, column) in stored.enumerated() { try insert.bind(image, column, at: index + 1) }
            try insert.run()
            defer {
                select.reset()
                try? clear.run()
            }
            return try select.step() ? select.record(from: 0, count: select.columnCount) : nil
        } catch {
            return nil
        }
    }
}
