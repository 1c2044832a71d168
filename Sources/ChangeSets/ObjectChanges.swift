/// The records of objects in a change set, in the fixed order.
///
/// They are stored as *runs*: deletes, inserts or updates of neighbouring rows, or moves to
/// neighbouring places. A run takes no memory per row except for the row's id and, for a move, its
/// old path. Each record is made when it is read.
///
/// - Complexity: A record is found in O(log r) for r runs, and the next one of an iteration in
///   O(1).
public struct ObjectChanges: RandomAccessCollection, Hashable, Sendable {
    /// Records of one type with the same changed columns. From one to the next, the places that the
    /// type has increase by one row; of deletes they decrease. The old places of moves are
    /// arbitrary.
    struct Run: Hashable {
        /// The first record.
        let first: ObjectChange
        /// Its number. In the padding of the record, so that a run is not larger than that.
        let start: Int32

        init(_ first: ObjectChange, _ start: Int) {
            self.first = first
            self.start = Int32(truncatingIfNeeded: start)
        }
    }

    /// As long as possible, so that equal records have equal runs.
    let runs: [Run]
    /// nil if each run has one record.
    private let rows: RunRows?

    /// The parts of the records of runs that differ within a run.
    private final class RunRows: Hashable, Sendable {
        /// Of all records.
        let ids: [Int64]
        /// Of all records from the first move to the last one.
        let oldPaths: [ListIndexPath]
        let firstMove: Int

        init(_ ids: consuming [Int64], _ oldPaths: consuming [ListIndexPath], firstMove: Int) {
            self.ids = ids
            self.oldPaths = oldPaths
            self.firstMove = firstMove
        }

        static func == (a: RunRows, b: RunRows) -> Bool { a.ids == b.ids && a.oldPaths == b.oldPaths }

        func hash(into hasher: inout Hasher) { hasher.combine(ids) }
    }

    /// The records of a sequence, which are in the fixed order.
    public init(_ changes: some Sequence<ObjectChange>) {
        var builder = Builder()
        for change in changes { builder.append(change) }
        self = builder.finish()
    }

    /// A single record.
    init(only change: ObjectChange) { self.init([Run(change, 0)], nil) }

    private init(_ runs: consuming [Run], _ rows: RunRows?) {
        self.runs = runs
        self.rows = rows
    }

    /// The number of the first record, 0.
    public var startIndex: Int { 0 }

    /// The number of records.
    public var endIndex: Int { rows?.ids.count ?? runs.count }

    /// A record by its number.
    public subscript(position: Int) -> ObjectChange {
        guard let rows else { return runs[position].first }
        return record(position, ofRun: run(position), rows)
    }

    /// The number of the run of a record.
    private func run(_ position: Int) -> Int {
        rows == nil ? position : partitionPoint(of: runs.count) { runs[$0].start <= position } - 1
    }

    private func record(_ position: Int, ofRun run: Int, _ rows: RunRows) -> ObjectChange {
        let (first, offset) = (runs[run].first, position - Int(runs[run].start))
        let old = first.type == .move ? rows.oldPaths[position - rows.firstMove] : nil
        return first.next(offset, rows.ids[position], old)
    }

    /// Calls `body` with the first record and the numbers of each run of some records, which begin
    /// and end with a run.
    func forEachRun(in records: Range<Int>, _ body: (ObjectChange, Range<Int>) -> Void) {
        var run = records.isEmpty ? 0 : run(records.lowerBound)
        var start = records.lowerBound
        while start < records.upperBound {
            let end = run + 1 < runs.count ? Int(runs[run + 1].start) : endIndex
            body(runs[run].first, start..<end)
            (run, start) = (run + 1, end)
        }
    }

    /// The same records with their paths increased by these numbers of sections.
    func shifted(old: Int, new: Int) -> ObjectChanges {
        ObjectChanges(
            runs.map { Run($0.first.shifted(old: old, new: new), Int($0.start)) },
            rows.map { RunRows($0.ids, $0.oldPaths.map { $0.shifted(old) }, firstMove: $0.firstMove) })
    }

    /// The ids of the objects, in the order of the records.
    package var ids: [Int64] { rows?.ids ?? runs.map(\.first.id) }

    /// The records of some rows. O(k), without a record for each other row.
    package func records(of wanted: Set<Int64>) -> [ObjectChange] {
        guard let least = wanted.min(), let greatest = wanted.max() else { return [] }
        var records: [ObjectChange] = []
        // Most ids are outside this range if few rows are wanted, and need no hash.
        for (place, id) in ids.enumerated() where id >= least && id <= greatest && wanted.contains(id) {
            records.append(self[place])
        }
        return records
    }

    /// The records one after another.
    public func makeIterator() -> Iterator { makeIterator(from: 0) }

    /// The records from a number on, one after another.
    package func makeIterator(from position: Int) -> Iterator { Iterator(self, position, run(position)) }

    /// Makes one record after another.
    public struct Iterator: IteratorProtocol {
        private let changes: ObjectChanges
        private var position: Int
        private var run: Int

        fileprivate init(_ changes: ObjectChanges, _ position: Int, _ run: Int) {
            self.changes = changes
            self.position = position
            self.run = run
        }

        /// The next record, or `nil` after the last one.
        public mutating func next() -> ObjectChange? {
            guard position < changes.endIndex else { return nil }
            defer { position += 1 }
            guard let rows = changes.rows else { return changes.runs[position].first }
            if run + 1 < changes.runs.count, Int(changes.runs[run + 1].start) == position { run += 1 }
            return changes.record(position, ofRun: run, rows)
        }
    }

    /// Makes the runs of records that are appended in their order.
    package struct Builder {
        private var runs: [Run] = []
        private var count = 0
        /// Of all records; empty as long as each run has one record.
        private var ids: [Int64] = []
        private var oldPaths: [ListIndexPath] = []
        private var firstMove = 0
        private var hasRows: Bool { !ids.isEmpty }

        package init() {}

        package mutating func append(_ change: ObjectChange) {
            let isNext = runs.last.map { change == $0.first.next(count - Int($0.start), change.id, change.rawOld) }
            if isNext ?? false {
                if !hasRows { makeRows() }
            } else {
                runs.append(Run(change, count))
            }
            if hasRows { addRow(change) }
            count += 1
        }

        /// Appends the records of neighbouring rows, which have nothing in common with the last
        /// run.
        package mutating func append(_ first: ObjectChange, _ rows: some Collection<Int64>) {
            guard rows.count > 1 else { return append(first) }
            if !hasRows { makeRows() }
            runs.append(Run(first, count))
            ids.append(contentsOf: rows)
            count += rows.count
        }

        mutating func reserve(_ count: Int, moves: Int) {
            guard count > 1 else { return }
            ids.reserveCapacity(count)
            oldPaths.reserveCapacity(moves)
        }

        private mutating func makeRows() { for run in runs { addRow(run.first) } }

        private mutating func addRow(_ change: ObjectChange) {
            if change.type == .move {
                if oldPaths.isEmpty { firstMove = ids.count }
                // Records between moves, which are possible only if the order is wrong.
                while oldPaths.count < ids.count - firstMove { oldPaths.append(.absent) }
                oldPaths.append(change.rawOld)
            }
            ids.append(change.id)
        }

        package consuming func finish() -> ObjectChanges {
            ObjectChanges(runs, hasRows ? RunRows(ids, oldPaths, firstMove: firstMove) : nil)
        }
    }
}

extension ObjectChanges: ExpressibleByArrayLiteral {
    /// The listed records, which are in the fixed order.
    public init(arrayLiteral elements: ObjectChange...) { self.init(elements) }
}

extension ObjectChange {
    /// The record of another row of a run.
    ///
    /// - Parameters:
    ///   - offset: The number of records from this one, the first of the run.
    ///   - old: The old path of a move.
    fileprivate func next(_ offset: Int, _ id: Int64, _ old: ListIndexPath?) -> ObjectChange {
        switch type {
        case .delete: .delete(id, at: rawOld.advanced(by: -offset))
        case .insert: .insert(id, at: rawNew.advanced(by: offset))
        case .move: .move(id, from: old ?? rawOld, to: rawNew.advanced(by: offset), changedColumns: changedColumns)
        case .update:
            .update(
                id, from: rawOld.advanced(by: offset), to: rawNew.advanced(by: offset), changedColumns: changedColumns)
        }
    }
}

extension ListIndexPath {
    /// The place so many rows further in the same section.
    func advanced(by rows: Int) -> ListIndexPath { ListIndexPath(section: section, row: row + rows) }
}
