internal import OrderedTree
internal import SQLiteKit

/// The rows that a section map's sections represent, in their order, and by their keys.
package final class SectionRowTable {
    /// All rows in one section of a list.
    var order: List
    /// How keys compare.
    private let keyOrder: ValueOrder
    private var rows = RowDictionary<SectionRow>()
    private var ids: [SectionKey: Int64] = [:]
    /// The row for each spelling of a key, where only the program's collation can determine it.
    private var spellings: [SectionKey: Int64?] = [:]

    init(order: List, keyOrder: ValueOrder) {
        self.order = order
        self.keyOrder = keyOrder
    }

    var component: KeyComponent { keyOrder.component }
    /// Whether keys are the same where their bytes are.
    var isBytewise: Bool { keyOrder.isBytewise }
    package var count: Int { order.count }

    package subscript(id: Int64) -> SectionRow? { rows[id] }

    /// The place of a row among all; nil if it is not in the table. O(log n).
    package func rank(of id: Int64) -> Int? { order.rows.place(of: id)?.row }

    /// The row at a place. O(log n).
    package func row(at index: Int) -> Int64 { order.rows.row(section: order.rows.section(at: 0), at: index) }

    /// The row that has a key; nil if there is none, as for NULL.
    func row(withKey key: UnsafeRawBufferPointer, _ value: @autoclosure () -> RowValues) throws -> Int64? {
        let key = unsafe SectionKey(key)
        if keyOrder.isBytewise { return ids[key] }
        if let known = spellings[key] { return known }
        let wanted = List.Section(value: value(), key: key)
        let found = try rows.first { try !$0.value.isNull && keyOrder.isSame($0.value.section, wanted) }?.id
        spellings[key] = .some(found)
        return found
    }

    /// Inserts a row, removes it or gives it another key. Two rows can't have the same key.
    func set(_ id: Int64, _ row: SectionRow?) throws {
        if let old = rows.remove(id), ids[old.key] == id { ids[old.key] = nil }
        spellings = [:]
        guard let row else { return }
        if !row.isNull {
            let other = unsafe try row.key.withUnsafeBytes { unsafe try self.row(withKey: $0, row.value) }
            guard other == nil else {
                throw StoreError(.constraint, "two sections have the key \(row.value.values[0])")
            }
            ids[row.key] = id
        }
        rows.add(id, row)
        spellings = [:]
    }
}
