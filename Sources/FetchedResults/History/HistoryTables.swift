internal import ListEngine
internal import SQLiteKit

/// The tables in which the triggers of a history note the keys of touched rows, in the main
/// database:
///
/// - `fetchedresults_history`: one entry per touched row, with the table's number, the rowid (of a
///   table with rowids) and the values of the declared key in `key1`, `key2`, …; and entries with
///   the negative of a table's number, after which its history begins again;
/// - `fetchedresults_history_tables`: the tables with a history: since which generation, and how
///   many columns their keys have;
/// - `fetchedresults_history_settings`: one row, with the limit of entries and the version of the
///   schema to which the triggers belong.
///
/// A *generation* is the number of an entry. Entries are counted in its upper bits; the lower ones
/// are random, so that a database which was replaced by an older copy and changed again has other
/// generations.
enum HistoryTables {
    static let entries = "fetchedresults_history"
    static let tables = "fetchedresults_history_tables"
    static let settings = "fetchedresults_history_settings"
    static let all = [entries, tables, settings]

    static let defaultLimit: Int64 = 100_000
    /// So the count of entries, and their limit, stay in the upper bits.
    static let greatestLimit: Int64 = 1 << 40

    private static let randomBits = 20

    /// The expression of a new entry's generation.
    static let nextGeneration =
        "(SELECT ((max(generation) >> \(randomBits)) + 1 << \(randomBits)) + (random() & \((1 << randomBits) - 1)) "
        + "FROM \(entries))"

    /// Deletes the entries beyond the limit, after one was inserted: in a long history a few
    /// together, since each deletion costs a page more to write.
    static let pruning = deletion(
        where: "(SELECT max(generation) >> \(randomBits) FROM \(entries)) "
            + "% min((SELECT entry_limit FROM \(settings)) / 16 + 1, 64) = 0")

    /// Deletes the entries beyond the limit, if a condition holds.
    static func deletion(where condition: String = "1") -> String {
        "DELETE FROM \(entries) WHERE generation < CASE WHEN \(condition) "
            + "THEN ((SELECT max(generation) FROM \(entries)) >> \(randomBits)) "
            + "- (SELECT entry_limit FROM \(settings)) + 1 << \(randomBits) ELSE 0 END"
    }

    /// Creates the tables, with a first entry that belongs to no table: a history is never empty,
    /// so its generations only grow. It begins at a random one, and so differs from one that was
    /// removed.
    static let creation = [
        "CREATE TABLE main.\(entries) (generation INTEGER PRIMARY KEY, table_id INTEGER NOT NULL, row_id INTEGER)",
        "CREATE TABLE main.\(tables) (table_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, start INTEGER NOT NULL, "
            + "has_rowid INTEGER NOT NULL, key_count INTEGER NOT NULL)",
        "CREATE TABLE main.\(settings) (entry_limit INTEGER NOT NULL, schema_version INTEGER)",
        "INSERT INTO main.\(settings) VALUES (\(defaultLimit), NULL)",
        "INSERT INTO main.\(entries) (generation, table_id) VALUES ((random() & 0xffffffff) + 1 << \(randomBits), 0)",
    ]

    /// Inserts an entry that belongs to no table. Generations before it do not belong to the
    /// history that begins after it, and the newest entry before it may be removed: generations
    /// only grow.
    static let mark = "INSERT INTO main.\(entries) (generation, table_id) SELECT \(nextGeneration), 0"

    /// Notes a row, given its table's number, its rowid if the table has one, and its key.
    static func note(hasRowid: Bool, keyCount: Int) -> String {
        let columns = ["table_id"] + (hasRowid ? ["row_id"] : []) + (0..<keyCount).map(keyColumn)
        let parameters = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO main.\(entries) (generation, \(columns.joined(separator: ", "))) "
            + "SELECT \(nextGeneration), \(parameters)"
    }

    /// Inserts an entry which says that it is unknown what else is touched in a table: the negative
    /// of the table's number.
    static func gap(_ tableID: Int64) -> String {
        "INSERT INTO \(entries) (generation, table_id) SELECT \(nextGeneration), \(-tableID)"
    }

    /// Which entries are about a table, given its number.
    static let belongs = "table_id IN (?1, -?1)"

    /// Separates the entries of a table, given its number, from it. Their generations stay.
    static func release(keyCount: Int) -> String {
        let columns = ["row_id"] + (0..<keyCount).map(keyColumn)
        return "UPDATE main.\(entries) SET table_id = 0, " + columns.map { "\($0) = NULL" }.joined(separator: ", ")
            + " WHERE \(belongs)"
    }

    static let removal = all.map { "DROP TABLE main.\($0)" }

    /// Selects the identities of the rows of a table, given its number, that were touched since a
    /// generation. If the key may be NULL, the last column is the rowid of a row whose key holds a
    /// NULL, and NULL for all other rows: a key that was inserted again may have another rowid, and
    /// is the same identity. All columns of a key that holds a NULL are NULL, as in the row's
    /// identity, since its other values may have changed.
    static func selection(of entity: Entity) -> String {
        let keyColumns = entity.isIdentityRowid ? [] : entity.identityColumns.indices.map(keyColumn)
        var columns = zip(keyColumns, entity.identityColumns).map { (sql: $0, name: $1.name) }
        if let rowid = entity.rowidName {
            if entity.isIdentityRowid {
                columns.append(("row_id", entity.identityColumns.first?.name ?? rowid))
            } else if entity.isIdentityNullable {
                let holdsNull = keyColumns.map { "\($0) IS NULL" }.joined(separator: " OR ")
                columns = columns.map { ("CASE WHEN NOT (\(holdsNull)) THEN \($0.sql) END", $0.name) }
                columns.append(("CASE WHEN \(holdsNull) THEN row_id END", rowid))
            }
        }
        let selected = columns.map { "\($0.sql) AS \(quoted($0.name))" }.joined(separator: ", ")
        let grouped = columns.indices.map { String($0 + 1) }.joined(separator: ", ")
        return "SELECT \(selected) FROM main.\(entries) WHERE table_id = ?1 AND generation > ?2 "
            + "GROUP BY \(grouped) ORDER BY min(generation)"
    }

    static func keyColumn(_ index: Int) -> String { "key\(index + 1)" }

    /// Adds the missing columns for keys of some length.
    static func keyColumns(_ count: Int, beyond known: Int) -> [String] {
        guard known < count else { return [] }
        return (known..<count).map { "ALTER TABLE main.\(entries) ADD COLUMN \(keyColumn($0))" }
    }
}
