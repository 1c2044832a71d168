package import SQLiteKit

/// A table or view as the schema declares it.
package struct Entity {
    package struct Column {
        package let name: String
        /// The column's own collation.
        let collation: Collation
        /// Virtual generated columns are computed when they are read.
        let isStored: Bool
        /// Why it can't be read: the connection lacks what computes it.
        var problem: StoreError?
        /// The declared type.
        var type = ""

        var affinity: Affinity { Affinity(declaredType: type) }
    }

    package struct ForeignKey {
        package let columns: [String]
        package let parentTable: String
        /// The columns that these refer to, in the same order.
        package let parentColumns: [String]
    }

    enum Storage: Equatable {
        /// A table with rowids; `name` is one by which SQL reaches them.
        case rowid(name: String)
        case withoutRowid
        /// A view or a virtual table, which no hook observes.
        case unobserved

        var hasRowid: Bool { if case .rowid = self { true } else { false } }
    }

    package let schema: String
    package let name: String
    let storage: Storage
    package let columns: [Column]
    /// The columns that identify a row; empty for a table that declares no primary key, whose rowid
    /// does.
    package let identityColumns: [Column]
    /// Whether an identity is one integer, the rowid itself.
    package let isIdentityRowid: Bool
    /// Whether identity columns can be NULL. The identity of such a row is a NULL for each of them,
    /// then the rowid: see `RowValues.standInRowid`.
    package let isIdentityNullable: Bool
    package let foreignKeys: [ForeignKey]
    /// The rows of a table that a view shows; nil for a table, and for views that are not followed
    /// row by row.
    let rowView: RowView?
    /// How the documents of a full-text index are followed; nil for another table.
    let textIndex: TextIndex?
    /// The columns' numbers by their names; empty if there are so few that a linear search is
    /// faster.
    private let numbers: [FoldedName: Int]

    init(
        schema: String, name: String, storage: Storage, columns: [Column], identityColumns: [Column],
        isIdentityRowid: Bool,
        isIdentityNullable: Bool, foreignKeys: [ForeignKey], rowView: RowView? = nil, textIndex: TextIndex? = nil
    ) {
        self.schema = schema
        self.name = name
        self.storage = storage
        self.columns = columns
        self.identityColumns = identityColumns
        self.isIdentityRowid = isIdentityRowid
        self.isIdentityNullable = isIdentityNullable
        self.foreignKeys = foreignKeys
        self.rowView = rowView
        self.textIndex = textIndex
        let named = columns.count > 32 ? columns.enumerated().map { (FoldedName($1.name), $0) } : []
        numbers = Dictionary(named) { first, _ in first }
    }

    /// A view, with what it shows of a table.
    ///
    /// - Parameter rowidName: The column of its source that has the table's rowid.
    init(_ view: Entity, showing rowView: RowView, rowidName: String) {
        self.init(
            schema: view.schema, name: view.name, storage: .rowid(name: rowidName), columns: view.columns,
            identityColumns: view.identityColumns, isIdentityRowid: rowView.table.isIdentityRowid,
            isIdentityNullable: false, foreignKeys: [], rowView: rowView)
    }

    /// A full-text index, whose rows are its documents.
    init(_ virtual: Entity, documentsOf index: TextIndex) {
        self.init(
            schema: virtual.schema, name: virtual.name, storage: .rowid(name: "rowid"), columns: virtual.columns,
            identityColumns: [], isIdentityRowid: true, isIdentityNullable: false, foreignKeys: [], textIndex: index)
    }

    /// Whether it is a view or a virtual table, whose rows are no rows that hooks report.
    var isView: Bool { storage == .unobserved || rowView != nil || textIndex != nil }

    /// The table that has what the rows show, whose rows hooks report; nil if there is none.
    var table: Entity? {
        if let rowView { return rowView.table }
        if let textIndex { return textIndex.texts?.table }
        return storage == .unobserved ? nil : self
    }

    /// The columns that a row had whose old image in `table` this is; nil if that does not show
    /// them.
    func columns(ofImage image: RowValues) -> RowValues? {
        guard let textIndex else { return rowView == nil ? image : nil }
        guard let columns = textIndex.texts?.columns, columns.allSatisfy({ $0 < image.count }) else { return nil }
        return RowValues(image, columns: columns)
    }

    /// A name by which SQL reaches the rowid; nil for a table WITHOUT ROWID, and for what is
    /// not a table.
    package var rowidName: String? { if case .rowid(let name) = storage { name } else { nil } }

    /// The source that statements read.
    package var sqlName: String { rowView?.source ?? quoted(schema, name) }
    /// The same where no index may be used: not for the source of a view, which can't say that.
    var sqlNameNotIndexed: String { rowView == nil ? "\(sqlName) NOT INDEXED" : sqlName }
    package var displayName: String { schema == "main" ? name : "\(schema).\(name)" }

    /// How many values make up a row key.
    var rowKeyCount: Int {
        switch storage {
        case .rowid: 1
        case .withoutRowid: identityColumns.count
        case .unobserved: 0
        }
    }

    /// Whether both are the same table or view.
    func isSame(as other: Entity) -> Bool { ExactText(sqlName) == ExactText(other.sqlName) }

    /// The same table, whose rows their rowids identify if they have any.
    var byRowid: Entity {
        guard storage.hasRowid, !isView else { return self }
        return Entity(
            schema: schema, name: name, storage: storage, columns: columns,
            identityColumns: isIdentityRowid ? identityColumns : [], isIdentityRowid: true, isIdentityNullable: false,
            foreignKeys: foreignKeys)
    }

    /// Names are compared as SQLite does: ASCII letters without case.
    package func columnIndex(_ name: String) -> Int? {
        numbers.isEmpty ? columns.firstIndex { isSameName($0.name, name) } : numbers[FoldedName(name)]
    }
    package func column(_ name: String) -> Column? { columnIndex(name).map { columns[$0] } }

    /// The foreign key that a key path means by one of its columns: the key of this column alone,
    /// or the only one that has the column among its columns.
    func foreignKey(_ column: String) -> ForeignKey? {
        let keys = foreignKeys.filter { $0.columns.contains { isSameName($0, column) } }
        return keys.first { $0.columns.count == 1 } ?? (keys.count == 1 ? keys[0] : nil)
    }

    func hasForeignKey(_ column: String) -> Bool {
        foreignKeys.contains { $0.columns.contains { isSameName($0, column) } }
    }

    /// A name of the rowid, as a column. Not where the rowid does not identify a row, as it can
    /// then become another row's rowid.
    func rowidColumn(_ name: String) -> Column? {
        guard isIdentityRowid, rowView == nil, columnIndex(name) == nil, Self.isRowid(name) else { return nil }
        return Column(name: name, collation: .binary, isStored: true, type: "INTEGER")
    }

    /// Whether SQL reaches the rowid by a name: a key that is the rowid, or one of the three names
    /// that all rowids have.
    func hasRowid(named name: String) -> Bool {
        guard storage.hasRowid else { return false }
        if columnIndex(name) == nil { return rowView == nil && Self.isRowid(name) }
        return isIdentityRowid && identityColumns.contains { isSameName($0.name, name) }
    }

    /// Whether all rowids have this name, unless a column does.
    static func isRowid(_ name: String) -> Bool { rowidNames.contains { isSameName($0, name) } }
    static let rowidNames = ["rowid", "_rowid_", "oid"]

    /// Throws `range` unless an identity can have this number of values: one for each column of the
    /// key, and one more if the key may hold a NULL (`RowValues.standInRowid`).
    package func checkIdentity(count: Int) throws(StoreError) {
        let keyCount = isIdentityRowid ? 1 : identityColumns.count
        if count == keyCount || isIdentityNullable && count == keyCount + 1 { return }
        let more = isIdentityNullable ? ", or \(keyCount + 1) if its key holds NULL" : ""
        throw StoreError(.range, "an identity of \(displayName) has \(counted(keyCount, "value"))\(more), not \(count)")
    }

    /// Whether identities of both are of the same kind, so that equal ones mean the same row.
    func identifiesRows(like other: Entity) -> Bool {
        isIdentityRowid == other.isIdentityRowid && isIdentityNullable == other.isIdentityNullable
            && identityColumns.elementsEqual(other.identityColumns) {
                ExactText($0.name) == ExactText($1.name) && (isIdentityRowid || $0.collation == $1.collation)
            }
    }

    /// The columns that select an identity, the rowid among them, and how their values compare.
    private var identityParts: [(column: String, component: KeyComponent)] {
        let rowid: [(String, KeyComponent)]
        if case .rowid(let name) = storage { rowid = [(name, KeyComponent())] } else { rowid = [] }
        if isIdentityRowid { return rowid }
        let declared = identityColumns.map { ($0.name, KeyComponent(collation: $0.collation)) }
        return isIdentityNullable ? declared + rowid : declared
    }

    /// The SQL expressions that select an identity, and how its values compare.
    package var identityExpressions: [(sql: String, component: KeyComponent)] {
        identityParts.map { (quoted(name, $0.column), $0.component) }
    }

    /// The same by the columns' names alone, as RETURNING requires.
    package var identityNames: [String] { identityParts.map { quoted($0.column) } }
}

extension Entity {
    /// How the rows of the table are read when they are about to change.
    package var imageLayout: ImageLayout {
        let isWithoutRowid = storage == .withoutRowid
        let hasVirtual = columns.contains { !$0.isStored }
        let rowKey: [String]
        if case .rowid(let name) = storage { rowKey = [name] } else { rowKey = identityColumns.map(\.name) }
        let test = rowKey.map { "\(quoted($0)) = ?" }.joined(separator: " AND ")
        let names = columns.map { $0.problem == nil ? quoted($0.name) : "NULL" }.joined(separator: ", ")
        var key: (columns: [Int], updatedColumns: [Int])?
        if isWithoutRowid {
            let columns = identityColumns.compactMap { columnIndex($0.name) }
            key = (columns, columns.map { index in self.columns[..<index].count(where: \.isStored) })
        }
        let positions = recordPositions
        let record = { (columns: [Column]) in
            RecordLayout(columns: columns.map { recordColumn($0, at: positions[FoldedName($0.name)] ?? 0) })
        }
        return ImageLayout(
            columnCount: columns.count, isHookFaithful: !hasVirtual && areRealsStoredAmongReals(positions),
            select: "SELECT \(names) FROM \(sqlName) WHERE \(test)",
            isComplete: columns.allSatisfy { $0.problem == nil }, key: key,
            record: hasVirtual ? nil : record(columns), recordKey: isWithoutRowid ? record(identityColumns) : nil)
    }

    /// Where columns are stored in a record: in the order of the declaration, but the key of a
    /// table WITHOUT ROWID comes first
    /// (https://www.sqlite.org/fileformat.html#representation_of_sql_tables).
    private var recordPositions: [FoldedName: Int] {
        var stored = columns.filter(\.isStored)
        if storage == .withoutRowid {
            let key = Set(identityColumns.map { FoldedName($0.name) })
            stored = identityColumns + stored.filter { !key.contains(FoldedName($0.name)) }
        }
        return Dictionary(stored.enumerated().map { (FoldedName($1.name), $0) }) { first, _ in first }
    }

    /// Whether the column whose number is the place where another one is stored is REAL if that one
    /// is: SQLite confuses the two in the hook's values.
    private func areRealsStoredAmongReals(_ positions: [FoldedName: Int]) -> Bool {
        let areReal = columns.map { $0.affinity == .real }
        return zip(columns, areReal).allSatisfy { column, isReal in
            positions[FoldedName(column.name)].map { areReal[$0] == isReal } ?? false
        }
    }

    private func recordColumn(_ column: Column, at position: Int) -> (position: Int, isRowid: Bool, isReal: Bool) {
        let isRowid = isIdentityRowid && identityColumns.contains { isSameName($0.name, column.name) }
        return (position, isRowid, column.affinity == .real)
    }
}
