internal import SQLiteKit

/// The contents that rows showed before a round, where these are more than their own columns.
///
/// A row's own columns are in its old image. A key path is followed in the old state: at each hop
/// the parent's row is searched among the touched rows' old images. If it is none of these, it is
/// read from the database, where a row that was not touched is still the same.
struct PastContent {
    private let compiled: CompiledRequest
    private let round: Round
    private let parentWatches: [ExactText: TableWatch]
    private let connection: Connection
    /// nil for a list without key paths, as most are: it is made once per list and round.
    private let parents: PastParents?
    /// Whether the old contents of touched rows of related tables are known.
    private let knowsParents: Bool

    init(compiled: CompiledRequest, round: Round, watches: Watches, connection: Connection) {
        self.connection = connection
        self.compiled = compiled
        self.round = round
        parents = compiled.dependencies.parentRows.isEmpty ? nil : PastParents()
        knowsParents = watches.related.allSatisfy { round.rows(of: $0.watch)?.hasImages ?? true }
        // Most lists depend on no other table.
        parentWatches =
            watches.related.isEmpty
            ? [:] : Dictionary(watches.related.map { (ExactText($1.table.sqlName), $0) }) { first, _ in first }
    }

    /// The old content of a touched row; nil if it can't be known. A row that was not touched
    /// itself has its present columns.
    func content(_ id: Int64, _ evidence: Evidence) throws -> RowValues? {
        guard knowsParents || compiled.content.imageColumns != nil,
            !compiled.content.columns.contains(where: \.isAboutMatches), let base = base(evidence.image, evidence.row)
        else {
            return nil
        }
        return RowValues(parts: try compiled.content.columns.map { try value(of: $0, id, base) })
    }

    /// The values with which the old key of a row began, in the same way; nil if they can't be
    /// known. The rest is the same as long as the row's id is: the identity, or the rowid where
    /// that replaces a declared key that holds NULL and whose other columns break ties before
    /// it.
    func keyValues(_ id: Int64, _ evidence: Evidence) throws -> [RowValues.Part]? {
        let current = evidence.isTouchedItself ? nil : evidence.row
        guard !compiled.order.keyPaths.contains(where: \.isAboutMatches), let base = base(evidence.image, current)
        else { return nil }
        let hops = compiled.order.keyPaths.flatMap(\.paths).flatMap(\.hops)
        guard knowsParents || hops.isEmpty, hops.allSatisfy({ compiled.dependencies.parentRows[$0.target] != nil })
        else {
            return nil
        }
        let declared = compiled.entity.isIdentityNullable ? compiled.entity.identityColumns : []
        let columns = declared.compactMap { compiled.entity.columnIndex($0.name) }
        return try compiled.order.keyPaths.map { try value(of: $0, id, base) }
            + columns.map { RowValues.Part(base, $0) }
    }

    /// The old values of key paths of a row, in the same way; nil if they can't be known.
    func values(of keyPaths: [KeyPath], _ id: Int64, _ evidence: Evidence) throws -> RowValues? {
        guard knowsParents || keyPaths.allSatisfy({ $0.tableColumn != nil }),
            let base = base(evidence.image, evidence.isTouchedItself ? nil : evidence.row)
        else { return nil }
        return RowValues(parts: try keyPaths.map { try value(of: $0, id, base) })
    }

    private func base(_ image: RowValues?, _ current: RowValues?) -> RowValues? {
        guard let base = image ?? current, base.count == compiled.entity.columns.count else { return nil }
        return base
    }

    private func value(of keyPath: KeyPath, _ id: Int64, _ base: RowValues) throws -> RowValues.Part {
        if let column = keyPath.tableColumn { return RowValues.Part(base, column) }
        if let expression = keyPath.expression {
            return try expression.value(try expression.inputs.map { try value(of: $0, id, base) })
        }
        // A rowid that a request shows is the row's id.
        if keyPath.hops.isEmpty { return RowValues.Part(RowValues([.integer(id)]), 0) }
        var row = base
        for hop in keyPath.hops {
            guard let columns = hop.columns?.child,
                columns.allSatisfy({ $0 < row.count && row.storageClass($0) != .null }),
                let parent = try parentRow(of: hop, key: columns.map { RowValues.Part(row, $0) })
            else { return .null }
            row = parent
        }
        guard let last = keyPath.hops.last, let column = last.parent.columnIndex(keyPath.column.name),
            column < row.count
        else {
            return .null
        }
        return RowValues.Part(row, column)
    }

    /// The row of the parent that a foreign key referred to before the round.
    private func parentRow(of hop: KeyPath.Hop, key: [RowValues.Part]) throws -> RowValues? {
        let lookup = PastParents.Lookup(hop, key)
        if let known = parents?.rows[lookup] { return known }
        let row = try touchedParentRow(of: hop, key: key) ?? untouchedParentRow(of: hop, key: key)
        parents?.rows[lookup] = .some(row)
        return row
    }

    private func touchedParentRow(of hop: KeyPath.Hop, key: [RowValues.Part]) throws -> RowValues? {
        guard let touched = round.rows(of: parentWatches[ExactText(hop.parent.sqlName)]),
            let columns = hop.columns, let last = columns.parent.max()
        else { return nil }
        let alike = hop.comparesAlike
        let wanted = try columns.parent.indices.map { index in
            let parent = hop.parent.columns[columns.parent[index]]
            return try KeyMatch(
                key[index], alike ? .blob : hop.child.columns[columns.child[index]].affinity,
                keyAffinity: alike ? .blob : parent.affinity, parent.collation, connection: connection)
        }
        let images = touched.rowids.images + touched.keys.images
        let bytes = wanted.compactMap(\.bytes)
        if bytes.count == wanted.count, let parents {
            return parents.images(images, byColumns: columns.parent, hop)[bytes]
        }
        return try images.first { image in
            guard let image, last < image.count else { return false }
            return try zip(wanted, columns.parent).allSatisfy { try $0.matches(RowValues.Part(image, $1)) }
        } ?? nil
    }

    private func untouchedParentRow(of hop: KeyPath.Hop, key: [RowValues.Part]) throws -> RowValues? {
        let columnCount = hop.parent.columns.count
        guard let parent = compiled.dependencies.parentRows[hop.target],
            let row = try first(parent.row, key, { $0.rowValues(from: 0, count: $0.columnCount) })
        else { return nil }
        let rowKey: RowValues?
        if let statement = parent.key {
            rowKey = try first(statement, key) { $0.rowValues(from: 0, count: $0.columnCount) }
        } else {
            rowKey = RowValues(row, columns: Array(columnCount..<row.count))
        }
        // A touched row whose image is not the one sought did not have this key before.
        if let touched = round.rows(of: parentWatches[ExactText(hop.parent.sqlName)]), let rowKey,
            touched.contains(rowKey)
        {
            return nil
        }
        return row
    }

    /// The first row of a statement that is given a key.
    private func first<Result>(
        _ statement: Statement, _ key: [RowValues.Part], _ read: (Statement) -> Result
    ) throws -> Result? {
        for (index, part) in key.enumerated() { try statement.bind(part.rowValues, part.index, at: index + 1) }
        defer { statement.reset() }
        return try statement.step() ? read(statement) : nil
    }
}

/// The parents' rows that were searched, as many rows refer to the same ones.
private final class PastParents {
    struct Lookup: Hashable {
        private let hop: ExactText
        private let storageClasses: [StorageClass]
        private let key: [[UInt8]]

        init(_ hop: KeyPath.Hop, _ key: [RowValues.Part]) {
            let columns = hop.key.columns.map { quoted($0) }.joined(separator: ".")
            self.hop = ExactText("\(hop.child.sqlName).\(columns) \(hop.target.text)")
            storageClasses = key.map { $0.rowValues.storageClass($0.index) }
            self.key = key.map { $0.encoded(KeyComponent()) }
        }
    }

    var rows: [Lookup: RowValues?] = [:]
    private var images: [ExactText: [[[UInt8]]: RowValues]] = [:]

    /// Old images by the bytes of the values that foreign keys refer to.
    func images(_ all: [RowValues?], byColumns columns: [Int], _ hop: KeyPath.Hop) -> [[[UInt8]]: RowValues] {
        if let known = images[hop.target] { return known }
        let parts = columns.map { ($0, KeyComponent(collation: hop.parent.columns[$0].collation)) }
        var byKey: [[[UInt8]]: RowValues] = [:]
        for image in all.reversed() {
            guard let image, columns.allSatisfy({ $0 < image.count }) else { continue }
            byKey[parts.map { RowValues.Part(image, $0).encoded($1) }] = image
        }
        images[hop.target] = byKey
        return byKey
    }
}
