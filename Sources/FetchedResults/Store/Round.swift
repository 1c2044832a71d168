internal import SQLiteKit

/// What one delivery starts from.
struct Round {
    private let touched: [ObjectIdentifier: TouchedRows]
    /// Why hooks can't tell what changed; nil if they can.
    let reread: RereadReason?

    let isSchemaChanged: Bool

    init(_ touched: [(watch: TableWatch, rows: TouchedRows)], reread: RereadReason?, isSchemaChanged: Bool = false) {
        self.isSchemaChanged = isSchemaChanged || reread == .schema
        self.touched = Dictionary(uniqueKeysWithValues: touched.map { (ObjectIdentifier($0.watch), $0.rows) })
        self.reread = reread
    }

    /// Whether nothing happened; some lists take part in every round.
    var isEmpty: Bool { touched.isEmpty && reread == nil }

    var watches: some Collection<ObjectIdentifier> { touched.keys }

    /// The touched rows of a table; nil if there are none.
    func rows(of watch: TableWatch?) -> TouchedRows? { watch.flatMap { touched[ObjectIdentifier($0)] } }
}
