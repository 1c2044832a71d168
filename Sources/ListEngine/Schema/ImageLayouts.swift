internal import SQLiteKit

extension Entity {
    /// How the rows of the table are read when they are about to change.
    var imageLayout: ImageLayout {
        let isWithoutRowid = storage == .withoutRowid
        let hasVirtual = columns.contains { !$0.isStored }
        let hasReal = columns.contains { Affinity(declaredType: $0.type) == .real }
        let rowKey: [String]
        if case .rowid(let name) = storage { rowKey = [name] } else { rowKey = identityColumns.map(\.name) }
        let test = rowKey.map { "\(quoted($0)) = ?" }.joined(separator: " AND ")
        let names = columns.map { quoted($0.name) }.joined(separator: ", ")
        var key: (columns: [Int], updatedColumns: [Int])?
        if isWithoutRowid {
            let columns = identityColumns.compactMap { columnIndex($0.name) }
            key = (columns, columns.map { index in self.columns[..<index].count(where: \.isStored) })
        }
        return ImageLayout(
            columnCount: columns.count, isHookFaithful: !hasVirtual && !(isWithoutRowid && hasReal),
            select: "SELECT \(names) FROM \(sqlName) WHERE \(test)", key: key)
    }
}
