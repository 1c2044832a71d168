internal import SQLiteKit

/// The groups of a request, as the rows of a table in memory, and what their totals are made of.
///
/// A change can be undone by `restore` until `commit`. Rowids are the groups' numbers.
final class GroupTable {
    /// A group, as the table has it.
    struct Group {
        /// Keys and totals, as the table shows them.
        var row: RowValues
        var totals: GroupTotals
    }

    private let keyCount: Int
    private let parts: TotalParts
    private let find: Statement
    private let read: Statement
    private let insert: Statement
    /// nil if there are no totals.
    private let update: Statement?
    private let delete: Statement

    // The counts and sums of all groups, by their numbers, in arrays that take less memory than one
    // for each group. Extremes are in the table alone.
    private var counts: [Int] = []
    private var sums: [Sum] = []
    /// The numbers that no group has.
    private var free: [Int] = []
    private var numberCount = 0
    /// The groups that were changed since the last commit, as they were before; nil for those that
    /// did not exist.
    private var former: [Int: Group?] = [:]
    /// The number of rows in all groups.
    private(set) var rowCount = 0

    /// - Parameters:
    ///   - name: The name of the table.
    ///   - columns: Its columns and their definitions: keys, then totals.
    init(
        _ name: String, _ columns: [(name: String, definition: String)], keyCount: Int, _ parts: TotalParts,
        in connection: Connection
    ) throws(StoreError) {
        self.keyCount = keyCount
        self.parts = parts
        let table = "main.\(quoted(name))"
        let names = columns.map { quoted($0.name) }
        let keys = names[..<keyCount]
        let rowid = ["rowid", "_rowid_", "oid"].first { name in !columns.contains { isSameName($0.name, name) } }
        guard let rowid else { throw StoreError(.misuse, "groups can't have columns named rowid, _rowid_ and oid") }
        func list(_ parts: some Sequence<String>) -> String { parts.joined(separator: ", ") }
        try connection.execute(
            "CREATE TABLE \(table)(\(list(columns.map(\.definition))), PRIMARY KEY(\(list(keys))))")
        let tests = keys.enumerated().map { "\($1) IS ?\($0 + 1)" }.joined(separator: " AND ")
        find = try connection.prepare("SELECT \(list([rowid] + names)) FROM \(table) WHERE \(tests)")
        read = try connection.prepare("SELECT \(list(names)) FROM \(table) WHERE \(rowid) = ?1")
        let parameters = keys.indices.map { ", ?\($0 + 2)" }.joined()
        insert = try connection.prepare("INSERT INTO \(table)(\(rowid), \(list(keys))) VALUES (?1\(parameters))")
        let assignments = names[keyCount...].enumerated().map { "\($1) = ?\($0 + 2)" }
        update =
            assignments.isEmpty
            ? nil : try connection.prepare("UPDATE \(table) SET \(list(assignments)) WHERE \(rowid) = ?1")
        delete = try connection.prepare("DELETE FROM \(table) WHERE \(rowid) = ?1")
    }

    /// The group with some keys; nil if there is none.
    func group(ofKeys keys: RowValues) throws(StoreError) -> (number: Int, group: Group)? {
        for index in 0..<keyCount { try find.bind(keys, index, at: index + 1) }
        defer { find.reset() }
        guard try find.step() else { return nil }
        let number = Int(find.integer(0))
        return (number, group(number, find.rowValues(from: 1, count: find.columnCount - 1)))
    }

    /// Adds a group without rows. `set` follows.
    func add(keys: RowValues) throws(StoreError) -> Int {
        let number = free.last ?? numberCount
        try insert(number, keys)
        if free.popLast() == nil {
            numberCount += 1
            counts += repeatElement(0, count: parts.none.counts.count)
            sums += repeatElement(Sum(), count: parts.sums.count)
        }
        if former[number] == nil { former[number] = .some(nil) }
        return number
    }

    private func insert(_ number: Int, _ keys: RowValues) throws(StoreError) {
        try insert.bind(Int64(number), at: 1)
        for index in 0..<keyCount { try insert.bind(keys, index, at: index + 2) }
        try insert.run()
    }

    /// A group that is in the table.
    func group(_ number: Int) throws(StoreError) -> Group {
        try read.bind(Int64(number), at: 1)
        defer { read.reset() }
        guard try read.step() else { throw StoreError(.error, "a group is missing") }
        return group(number, read.rowValues(from: 0, count: read.columnCount))
    }

    private func group(_ number: Int, _ row: RowValues) -> Group {
        var totals = parts.none
        for index in totals.counts.indices { totals.counts[index] = counts[number * totals.counts.count + index] }
        for index in totals.sums.indices { totals.sums[index] = sums[number * totals.sums.count + index] }
        for (column, source) in parts.sources.enumerated() {
            if case .extreme(let index) = source {
                totals.extremes[index].value = RowValues.Part(row, keyCount + column)
            }
        }
        return Group(row: row, totals: totals)
    }

    /// Gives a group other totals, or removes it if it has no rows any more. `old` is the group as
    /// it is. Returns whether the table shows a difference.
    func set(_ number: Int, _ totals: GroupTotals, old: Group) throws -> Bool {
        if former[number] == nil { former[number] = .some(old) }
        let isNew = formerRow(number) == nil
        rowCount += totals.counts[0] - counts[number * totals.counts.count]
        let isSame: Bool
        if totals.counts[0] == 0 {
            try run(delete, number)
            isSame = false
        } else {
            isSame = try write(number, parts.values(totals), old.row)
        }
        store(number, totals)
        return isNew || !isSame
    }

    /// Returns whether the totals are the ones that the table has.
    private func write(_ number: Int, _ values: RowValues, _ old: RowValues) throws(StoreError) -> Bool {
        guard let update, (0..<values.count).contains(where: { !values.isSame($0, as: old, keyCount + $0) })
        else { return true }
        for index in 0..<values.count { try update.bind(values, index, at: index + 2) }
        try run(update, number)
        return false
    }

    private func run(_ statement: Statement, _ number: Int) throws(StoreError) {
        try statement.bind(Int64(number), at: 1)
        try statement.run()
    }

    private func store(_ number: Int, _ totals: GroupTotals) {
        for (index, count) in totals.counts.enumerated() { counts[number * totals.counts.count + index] = count }
        for (index, sum) in totals.sums.enumerated() { sums[number * totals.sums.count + index] = sum }
    }

    /// The numbers of all groups that have rows.
    var numbers: [Int] {
        let stride = parts.none.counts.count
        return (0..<numberCount).filter { counts[$0 * stride] > 0 }
    }

    /// Whether anything was changed since the last commit.
    var isChanged: Bool { !former.isEmpty }

    /// A group as it was at the last commit; nil if it did not exist.
    func formerRow(_ number: Int) -> RowValues? { (former[number] ?? nil)?.row }

    /// Retains what was changed.
    func commit() {
        for number in former.keys.sorted() where counts[number * parts.none.counts.count] == 0 { free.append(number) }
        former = [:]
    }

    /// Undoes what was changed since the last commit. Fails only if SQLite has no memory.
    func restore() throws(StoreError) {
        // New groups first, as a former one may have had the keys of one of them.
        let ordered = former.sorted { ($0.value == nil ? 0 : 1, $0.key) < ($1.value == nil ? 0 : 1, $1.key) }
        for (number, group) in ordered {
            let old = counts[number * parts.none.counts.count]
            try run(delete, number)
            if let group {
                try insert(number, group.row)
                if let update {
                    let columns = Array(keyCount..<group.row.count)
                    let values = RowValues(group.row, columns: columns)
                    for index in 0..<values.count { try update.bind(values, index, at: index + 2) }
                    try run(update, number)
                }
                store(number, group.totals)
            } else {
                store(number, parts.none)
            }
            rowCount += counts[number * parts.none.counts.count] - old
        }
        commit()
    }
}
