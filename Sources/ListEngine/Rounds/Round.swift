package import ChangeSets
package import SQLiteKit

/// The differences between two states, as a delivery takes them to the lists.
package struct Round {
    /// By table. There are few of them, so that a linear search is faster than hashing.
    private(set) var touched: [TouchedTable]
    /// The connections that made the differences: `store`, `foreign` or both.
    package let origin: ChangeOrigin
    /// Why the touched rows are not all that differ; nil if they are.
    package let reread: RereadReason?
    package let isSchemaChanged: Bool

    package init(
        _ touched: [TouchedTable] = [], from origin: ChangeOrigin = [], reread: RereadReason? = nil,
        isSchemaChanged: Bool = false
    ) {
        self.touched = touched
        self.origin = origin
        self.reread = reread
        self.isSchemaChanged = isSchemaChanged || reread == .schema
    }

    /// The round with some of the rows of a table only.
    package func with(_ rows: TouchedRows, of watch: TableWatch) -> Round {
        Round(
            touched.map { $0.watch === watch ? TouchedTable(watch, rows) : $0 }, from: origin, reread: reread,
            isSchemaChanged: isSchemaChanged)
    }

    /// Adds the rows of some tables that a later round touched. Rows that both touched retain their
    /// images.
    package mutating func add(_ later: Round, of watches: [TableWatch]) {
        for table in later.touched where watches.contains(where: { $0 === table.watch }) {
            if let index = touched.firstIndex(where: { $0.watch === table.watch }) {
                touched[index].rows.add(table.rows)
            } else {
                touched.append(table)
            }
        }
    }

    /// The round for a list whose state is not the one at which the differences begin: the list is
    /// read again.
    var asReread: Round {
        .unknown(reread ?? (origin.contains(.foreign) ? .foreign : .transaction), isSchemaChanged: isSchemaChanged)
    }

    /// A round for a list that is read again, as the rows that differ are unknown.
    package static func unknown(_ reason: RereadReason, isSchemaChanged: Bool = false) -> Round {
        Round(reread: reason, isSchemaChanged: isSchemaChanged)
    }

    /// Whether nothing happened; some lists take part in every round.
    package var isEmpty: Bool { touched.isEmpty && reread == nil && !origin.contains(.foreign) }

    package var rowCount: Int { touched.reduce(0) { $0 + $1.rows.count } }

    package var watches: [TableWatch] { touched.map(\.watch) }

    /// The one table that was touched; nil if there are several, or none.
    package var onlyWatch: TableWatch? { touched.count == 1 ? touched[0].watch : nil }

    /// The touched rows of a table; nil if there are none.
    package func rows(of watch: TableWatch?) -> TouchedRows? {
        guard let index = touched.firstIndex(where: { $0.watch === watch }) else { return nil }
        return touched[index].rows
    }
}
