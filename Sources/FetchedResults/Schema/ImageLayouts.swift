internal import SQLiteKit

extension Entity {
    /// How the hooks show the rows of the table.
    func imageLayout() throws(StoreError) -> ImageLayout {
        var columns: [ImageColumn] = []
        let affinities = self.columns.map { Affinity(declaredType: $0.type) }
        let storageNumbers = self.columns.indices.map { index in self.columns[..<index].count(where: \.isStored) }
        let isWithoutRowid = storage == .withoutRowid
        let rowidColumn = isIdentityRowid ? identityColumns.first.flatMap { columnIndex($0.name) } : nil
        for (index, column) in self.columns.enumerated() {
            let number = isWithoutRowid ? index : storageNumbers[index]
            let source: ImageColumn.Source
            if !column.isStored {
                source = .none
            } else if index == rowidColumn {
                source = .rowid
            } else if !isWithoutRowid, number == rowidColumn {
                // SQLite would hand out the rowid for it.
                source = .unknown
            } else {
                source = .stored(number)
            }
            columns.append(
                ImageColumn(
                    source: source, repair: isWithoutRowid ? repair(index, affinities) : .nothing,
                    missingValue: try missingValue(column)))
        }
        guard isWithoutRowid else { return ImageLayout(columns: columns, key: nil) }
        let key = identityColumns.compactMap { columnIndex($0.name) }
        return ImageLayout(columns: columns, key: (key, key.map { storageNumbers[$0] }))
    }

    /// What is wrong with a column's old values in a table WITHOUT ROWID: the affinity looked at is that of the column
    /// whose number is this one's place in the stored row, where the key's columns come first.
    private func repair(_ index: Int, _ affinities: [Affinity]) -> ImageColumn.Repair {
        if affinities[index] == .real { return .toReal }
        let key = identityColumns.compactMap { columnIndex($0.name) }
        let stored = key + columns.indices.filter { columns[$0].isStored && !key.contains($0) }
        guard let place = stored.firstIndex(of: index), affinities.indices.contains(place), affinities[place] == .real else {
            return .nothing
        }
        return affinities[index] == .blob ? .ambiguous : .toInteger
    }

    /// What rows hold in a column that was added after them: its default, with the column's affinity. A table of that one
    /// column says what that is.
    private func missingValue(_ column: Column) throws(StoreError) -> Record? {
        guard let value = column.defaultValue else { return nil }
        let scratch = try Connection.open(path: ":memory:", readOnly: false, create: true)
        defer { scratch.close() }
        try scratch.execute("CREATE TABLE one (value \(column.type) DEFAULT \(value))")
        try scratch.execute("INSERT INTO one DEFAULT VALUES")
        let statement = try scratch.prepare("SELECT value FROM one")
        return try statement.step() ? statement.record(from: 0, count: 1) : nil
    }
}
