internal import ChangeSets
internal import OrderedTree

/// A window on a list, as its engine uses it.
package final class EngineWindow {
    /// Windows are notified in the order of these.
    let number: Int
    package internal(set) var extent: WindowExtent
    /// The rows that it shows.
    package var rows: WindowRows
    /// The row under which the index has it, which is the one of the next state during a delivery;
    /// nil while the list has no rows.
    fileprivate(set) var anchor: Int64?
    /// The object that shows it to the program, which sets nil before it ends.
    package unowned var owner: AnyObject?

    init(number: Int, _ extent: WindowExtent, _ rows: WindowRows) {
        self.number = number
        self.extent = extent
        self.rows = rows
    }
}

/// The windows on a list, by the rows on which they hang.
///
/// A change concerns a window if its place in the new list is one that the window shows there. So
/// the rows on which windows hang are in the order of the list, in arrays in which a place of the
/// list is searched; the list's tree has the place of each. Nothing is stored that other changes
/// would have to update, and a change costs O(log w log n) among w windows, and the windows that it
/// concerns. A window that is opened or closed, or whose row moves, shifts the numbers behind it in
/// one array, 16 bytes for each window.
///
/// Windows of similar lengths share an array, so that a long one does not extend the search for
/// short ones.
package final class WindowIndex {
    private struct Anchors {
        /// No window of the array shows more rows on one side.
        let reach: Int
        /// The rows on which its windows hang, once for each window.
        private(set) var ids: [Int64] = []
        /// The place that each of them had when a search last asked for it: where the next search
        /// begins.
        private var hints: [Int] = []

        init(reach: Int) { self.reach = reach }

        /// Inserts a row at its place; `place` returns the place of a row.
        mutating func insert(_ id: Int64, _ place: (Int64) -> Int) {
            let own = place(id)
            let index = first(from: own, place)
            ids.insert(id, at: index)
            hints.insert(own, at: index)
        }

        /// Inserts many rows.
        mutating func insert(_ added: [Int64], _ place: (Int64) -> Int) {
            let all = (ids + added).map { (id: $0, place: place($0)) }.sorted { $0.place < $1.place }
            (ids, hints) = (all.map(\.id), all.map(\.place))
        }

        mutating func remove(at index: Int) {
            ids.remove(at: index)
            hints.remove(at: index)
        }

        /// Removes rows; few are found faster without a hash.
        mutating func remove(_ left: Set<Int64>) {
            if left.count < 8 {
                for id in left { while let index = ids.firstIndex(of: id) { remove(at: index) } }
            } else {
                let kept = ids.indices.filter { !left.contains(ids[$0]) }
                (ids, hints) = (kept.map { ids[$0] }, kept.map { hints[$0] })
            }
        }

        /// The number of the first row that is not before a place. The tree is asked for the places
        /// of few rows, next to the one that the hints lead to.
        mutating func first(from wanted: Int, _ place: (Int64) -> Int) -> Int {
            var (low, step) = (partitionPoint(of: hints.count) { hints[$0] < wanted }, 1)
            var high = low
            func isBefore(_ index: Int) -> Bool {
                hints[index] = place(ids[index])
                return hints[index] < wanted
            }
            while low > 0, !isBefore(low - 1) {
                high = low - 1
                low = max(low - step, 0)
                step *= 2
            }
            if low == high {
                while high < ids.count, isBefore(high) {
                    low = high + 1
                    high = min(high + step, ids.count)
                    step *= 2
                }
            }
            return low + partitionPoint(of: high - low) { isBefore(low + $0) }
        }
    }

    private var windows: [Int64: [EngineWindow]] = [:]
    private var arrays: [Anchors] = []
    /// The windows of a list without rows.
    private var idle: [EngineWindow] = []
    private var opened = 0
    package private(set) var count = 0

    /// All of them, in the order in which they were opened.
    package var all: [EngineWindow] { (windows.values.joined() + idle).sorted { $0.number < $1.number } }

    // MARK: Windows

    func add(_ extent: WindowExtent, _ rows: WindowRows, in list: List) -> EngineWindow {
        opened += 1
        count += 1
        let window = EngineWindow(number: opened, extent, rows)
        hang([(window, rows.anchorID)], in: list)
        return window
    }

    func remove(_ window: EngineWindow) {
        count -= 1
        take(window)
    }

    /// Gives a window another row and extent.
    func move(_ window: EngineWindow, to id: Int64?, _ extent: WindowExtent, in list: List) {
        take(window)
        window.extent = extent
        hang([(window, id)], in: list)
    }

    /// Hangs all windows on rows of a list that was read again.
    func hangAll(_ anchors: [(EngineWindow, Int64?)], in list: List) {
        windows = [:]
        arrays = []
        idle = []
        hang(anchors, in: list)
    }

    /// - Parameter list: Has the rows on which the other windows hang.
    private func hang(_ anchors: [(EngineWindow, Int64?)], in list: List) {
        var added: [Int: [Int64]] = [:]
        for (window, id) in anchors {
            window.anchor = id
            guard let id else {
                idle.append(window)
                continue
            }
            windows[id, default: []].append(window)
            added[Self.reach(of: window), default: []].append(id)
        }
        for (reach, ids) in added {
            let index = arrays.firstIndex { $0.reach == reach } ?? arrays.count
            if index == arrays.count { arrays.append(Anchors(reach: reach)) }
            if ids.count == 1 {
                arrays[index].insert(ids[0]) { place($0, in: list) }
            } else {
                arrays[index].insert(ids) { place($0, in: list) }
            }
        }
    }

    private func take(_ window: EngineWindow) {
        guard let id = window.anchor else { return idle.removeAll { $0 === window } }
        windows[id]?.removeAll { $0 === window }
        if windows[id]?.isEmpty ?? false { windows[id] = nil }
        let reach = Self.reach(of: window)
        guard let array = arrays.firstIndex(where: { $0.reach == reach }),
            let index = arrays[array].ids.firstIndex(of: id)
        else { return assertionFailure("a window is not in its array") }
        arrays[array].remove(at: index)
    }

    /// Takes all windows that hang on some rows.
    private func take(_ ids: Set<Int64>) {
        for id in ids { windows[id] = nil }
        for index in arrays.indices { arrays[index].remove(ids) }
    }

    /// A power of two.
    private static func reach(of window: EngineWindow) -> Int {
        let rows = max(window.extent.before, window.extent.after, 1)
        return 1 << (Int.bitWidth - (rows - 1).leadingZeroBitCount)
    }

    // MARK: Searching

    /// The place of a row over all sections. Windows hang on rows of the list.
    private func place(_ id: Int64, in list: List) -> Int { list.index(of: id) ?? 0 }

    /// Calls `body` with the windows that would show a row at one of these places.
    private func forEach(showing places: Range<Int>, in list: List, _ body: (EngineWindow) -> Void) {
        for number in arrays.indices {
            let reach = arrays[number].reach
            var index = arrays[number].first(from: places.lowerBound - reach) { place($0, in: list) }
            while index < arrays[number].ids.count {
                let id = arrays[number].ids[index]
                let place = place(id, in: list)
                if place >= places.upperBound + reach { break }
                for window in windows[id] ?? [] where places.overlaps(window.extent.places(around: place)) {
                    body(window)
                }
                index += 1
            }
        }
    }

    // MARK: Following

    /// Follows changes of the list: the windows that they concern, in the order in which they were
    /// opened, each with the place in the new list of the row on which it hangs. If that row has
    /// left the list, the window hangs on the row that is where it was.
    ///
    /// The rows of a section that moves have no records of their own, so a move of a section
    /// concerns all windows. So do more records than there are windows.
    func follow(_ changes: ChangeSet, to list: List) -> [(window: EngineWindow, place: Int)] {
        lazy var gaps = ChangeGaps(changes)
        func gap(_ old: ListIndexPath) -> Int { list.place(of: gaps.newPath(ofOld: old)) }
        var concerned: [ObjectIdentifier: EngineWindow] = [:]
        func concern(_ window: EngineWindow) { concerned[ObjectIdentifier(window)] = window }
        hangAgain(changes, gap, list, concern)
        if !changes.sectionMoves.isEmpty {
            hangAll(all.map { ($0, $0.anchor) }, in: list)
            all.forEach(concern)
        } else if changes.recordCount > count {
            all.forEach(concern)
        } else {
            forEachPlace(of: changes, gap, list) { forEach(showing: $0, in: list, concern) }
        }
        return concerned.values.sorted { $0.number < $1.number }
            .map { ($0, $0.anchor.map { place($0, in: list) } ?? 0) }
    }

    /// Hangs the windows again whose rows moved or left the list, and the windows of a list that
    /// had no rows.
    private func hangAgain(
        _ changes: ChangeSet, _ gap: (ListIndexPath) -> Int, _ list: List, _ concern: (EngineWindow) -> Void
    ) {
        var anchors = idle.map { ($0, list.id(at: 0)) }
        idle = []
        var left: Set<Int64> = []
        let records =
            changes.recordCount > count
            ? changes.objectChanges.records(of: Set(windows.keys)) : Array(changes.objectChanges)
        for change in records where change.type == .delete || change.type == .move {
            guard let windows = windows[change.id] else { continue }
            left.insert(change.id)
            let id =
                change.type == .move
                ? change.id : list.id(at: min(gap(change.rawOld), list.count - 1))
            anchors += windows.map { ($0, id) }
        }
        if anchors.isEmpty { return }
        take(left)
        hang(anchors, in: list)
        for (window, _) in anchors { concern(window) }
    }

    /// Calls `body` with the places of the new list at which something changed. A row that left is
    /// at the place of the first row after it that stayed: a window that showed it and hangs on a
    /// row that stayed shows that place, or a row that entered between the two.
    private func forEachPlace(
        of changes: ChangeSet, _ gap: (ListIndexPath) -> Int, _ list: List, _ body: (Range<Int>) -> Void
    ) {
        for change in changes.objectChanges {
            if change.type == .delete || change.type == .move {
                let place = gap(change.rawOld)
                body(place..<place + 1)
            }
            if let path = change.newPath {
                let place = list.place(of: path)
                body(place..<place + 1)
            }
        }
        for change in changes.sectionUpdates {
            let first = list.place(of: ListIndexPath(section: change.rawNew, row: 0))
            body(first..<first + list.rows.rowCount(in: list.rows.section(at: change.rawNew)))
        }
    }
}

extension List {
    /// The number of a row over all sections; nil if the list does not have it. O(log n).
    package func index(of id: Int64) -> Int? {
        rows.place(of: id).map { rows.flatIndex(section: $0.section, row: $0.row) }
    }

    /// The row with a number over all sections; nil if there is none. O(log n).
    func id(at index: Int) -> Int64? {
        guard index >= 0, let (section, row) = rows.place(atFlatIndex: index) else { return nil }
        return rows.row(section: section, at: row)
    }

    /// The number over all sections of the row at a path, which may also be the end of a section,
    /// or of the list. O(log n).
    fileprivate func place(of path: ListIndexPath) -> Int {
        path.section < sectionCount
            ? rows.flatIndex(section: rows.section(at: path.section), row: path.row) : count
    }
}
