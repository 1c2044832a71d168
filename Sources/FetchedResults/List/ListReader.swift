internal import OrderedTree
internal import SQLiteKit

/// Reads a whole list in its order.
struct ListReader {
    let compiled: CompiledRequest
    let decoder: RowDecoder
    let sectionOrder: SectionOrder?
    let nodes: NodeSizes

    /// A new list from the current state of the database. O(n).
    func read() throws -> List {
        let list = List(isFlat: compiled.section == nil, isKeyed: compiled.hasByteKeys, nodes: nodes)
        let statement = compiled.keys
        defer { statement.reset() }
        if list.isFlat { list.beginSection(.flat) }
        let firstSort = compiled.firstSortColumn
        var last: List.Section?
        while try statement.step() {
            if let sectionOrder, let section = try nextSection(statement, sectionOrder, after: last) {
                list.beginSection(section)
                last = section
            }
            let id = decoder.id(statement)
            let key = decoder.key(statement, firstSort: firstSort)
            list.rows.append(id: id, key: key, keyHash: KeyHash.hash32(key))
        }
        do {
            try list.rows.finishBulk()
        } catch OrderedTreeError.duplicateRow(let id) {
            let identity = decoder.identityValues(id).values
            throw StoreError(
                .constraint, "two rows of \(compiled.entity.displayName) have the same identity \(identity)", sql: statement.sql)
        } catch {
            throw StoreError(.corrupt, "the rows of \(compiled.entity.displayName) come out of order", sql: statement.sql)
        }
        return list
    }

    /// The section of the current row if it is another one than the last.
    private func nextSection(
        _ statement: Statement, _ order: SectionOrder, after last: List.Section?
    ) throws -> List.Section? {
        let key = decoder.sectionKey(statement, order.component)
        if let last, last.key.withUnsafeBytes({ $0.elementsEqual(key) }) { return nil }
        let section = List.Section(value: statement.record(from: compiled.sectionColumn, count: 1), key: [UInt8](key))
        if let last, try order.isSame(last, section) { return nil }
        return section
    }
}
