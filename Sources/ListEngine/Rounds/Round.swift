package import SQLiteKit

/// What one delivery starts from.
package struct Round {
    private let touched: [ObjectIdentifier: TouchedRows]
    /// Why hooks can't tell what changed; nil if they can.
    package let reread: RereadReason?

    package let isSchemaChanged: Bool

    package init(
        _ touched: [(watch: TableWatch, rows: TouchedRows)], reread: RereadReason?, isSchemaChanged: Bool = false
    ) {
        self.isSchemaChanged = isSchemaChanged || reread == .schema
        self.touched = Dictionary(uniqueKeysWithValues: touched.map { (ObjectIdentifier($0.watch), $0.rows) })
        self.reread = reread
    }

    /// A round of one list's own, which takes another request or other settings.
    package static let request = Round([], reread: .request)

    /// Whether nothing happened; some lists take part in every round.
    package var isEmpty: Bool { touched.isEmpty && reread == nil }

    package var watches: some Collection<ObjectIdentifier> { touched.keys }

    /// The touched rows of a table; nil if there are none.
    package func rows(of watch: TableWatch?) -> TouchedRows? { watch.flatMap { touched[ObjectIdentifier($0)] } }
}
