import ChangeSets
import SQLiteKit
import TestSupport

@testable import FetchedResults
@testable import ListEngine

/// A window on a list of a run. The list checks its own contents; here the window is compared with
/// the list around its anchor, and its change sets are replayed.
final class WatchedWindow: FetchedResultsObserver {
    private let window: ListWindow
    private let world: World
    /// The result of replaying all change sets.
    private var mirror: [[Row]] = []
    private var deliveries: [ListChanges] = []
    private var isInBracket = false
    private let listObserver = ListDeliveries()
    private var observation: UInt64 = 0
    /// The state in which the anchor was last checked; nil while the test itself moves the window.
    private var state: State?

    private struct State {
        /// The rows of the list.
        let list: [[Value]]
        let anchor: [Value]?
        let anchorID: Int64?
    }

    private struct Row: Equatable {
        let identity: [Value]
        /// By columns; nil if it could not be read.
        let content: [String: Cell]?

        /// The schema may have changed without a record, which the list's own check judges: only
        /// the columns that both have are compared.
        static func == (a: Row, b: Row) -> Bool {
            guard a.identity == b.identity else { return false }
            guard let old = a.content, let new = b.content else { return true }
            return old.allSatisfy { column, cell in new[column].map { $0 == cell } ?? true }
        }
    }

    init(_ list: FetchedResultsController, _ world: World, _ random: inout SeededRandom) throws {
        self.world = world
        let count = try list.numberOfObjects
        let start: WindowStart = count == 0 || random.chance(20) ? .end : .index(random.below(count))
        window = try list.window(at: start, before: random.below(5), after: random.below(5))
        window.addObserver(self)
        observation = list.addObserver(listObserver)
        try begin()
    }

    func end(_ lifetimes: Lifetimes) {
        window.list.removeObserver(observation)
        window.close()
        lifetimes.note(window, "a window")
    }

    private func begin() throws {
        (mirror, state) = (try shown(), try currentState())
        (listObserver.deliveries, deliveries) = ([], [])
    }

    /// Moves the window, or makes it show more or fewer rows.
    func change(_ random: inout SeededRandom) {
        state = nil
        do {
            if random.chance(50) {
                try window.move(by: random.below(9) - 4)
            } else {
                try window.resize(before: random.below(5), after: random.below(5))
            }
            guard window.isFetched else { return }
            if try shown() != mirror { note("a move is not what its change set says") }
            try begin()
        } catch let error as StoreError where error.status == .notFetched {
        } catch {
            note("\(error)")
        }
    }

    // MARK: Reading

    private func shown() throws -> [[Row]] {
        try (0..<window.numberOfSections).map { section in
            try (0..<window.numberOfObjects(inSection: section)).map { row in
                try self.row(at: ListIndexPath(section: section, row: row))
            }
        }
    }

    private func row(at path: ListIndexPath) throws -> Row {
        let identity = try window.identity(at: path)
        do {
            let object = try window.object(at: path)
            let content = object.content.map { Dictionary(uniqueKeysWithValues: zip(object.columns, $0.cells)) }
            return Row(identity: identity, content: content)
        } catch let error as StoreError where error.status == .gone {
            return Row(identity: identity, content: nil)
        }
    }

    private func currentState() throws -> State {
        let list = window.list
        let rows = try (0..<list.numberOfObjects).map { index in
            let path = try list.indexPath(at: index)
            return list.engine.shownDecoder.identities.values(try list.shownList().checkedRow(path)).values
        }
        return State(
            list: rows, anchor: try window.anchor.map(window.identity), anchorID: try window.shownRows().anchorID)
    }

    // MARK: Checking

    /// Compares the window with its list and with the replay of its change sets.
    func settle() {
        guard window.isFetched else { return }
        do {
            let (rows, state) = (try shown(), try currentState())
            if isInBracket { note("a bracket was not ended") }
            for delivery in deliveries where delivery.changeSet.isEmpty {
                note("an empty change set")
            }
            if rows != mirror { note("it shows \(rows), but its change sets lead to \(mirror)") }
            try checkSlice(rows, state.list, state.anchor)
            checkAnchor(in: state)
            (mirror, deliveries) = (rows, [])
        } catch let error as StoreError where error.status == .notFetched {
        } catch {
            note("\(error)")
        }
    }

    /// It shows the list around its anchor.
    private func checkSlice(_ rows: [[Row]], _ list: [[Value]], _ anchor: [Value]?) throws {
        let position = try window.position
        guard let anchor, let place = list.firstIndex(of: anchor) else {
            if !list.isEmpty { note("the anchor \(String(describing: anchor)) is not in the list") }
            return
        }
        let slice = list[max(place - window.before, 0)..<min(place + window.after + 1, list.count)]
        if position != slice.startIndex { note("it is at \(position), not \(slice.startIndex)") }
        if rows.joined().map(\.identity) != Array(slice) { note("it shows \(rows), not \(slice)") }
        var number = position
        for section in rows.indices {
            let path = try window.list.indexPath(at: number)
            let (own, other) = (try window.section(at: section), try window.list.section(at: path.section))
            if own.name != other.name || own.numberOfObjects != rows[section].count {
                note("section \(section) is \(own), where the list has \(other)")
            }
            number += rows[section].count
        }
        if try window.indexPath(ofIdentity: anchor) != window.anchor { note("the anchor is not found") }
    }

    /// The anchor is the same row; or, if that has left the list, the row at its place.
    ///
    /// This is checked in each state that is delivered: a row that has left in one of them is not
    /// the anchor again when it is back in the next, as after a fetch inside a transaction that is
    /// then rolled back.
    ///
    /// - Parameter delivered: The changes of the window that led to the state, if there are any.
    private func checkAnchor(in new: State, after delivered: ListChanges? = nil) {
        let (old, changes) = (state, listObserver.deliveries)
        (state, listObserver.deliveries) = (new, [])
        guard let old, let oldAnchor = old.anchor, let anchor = new.anchor else { return }
        // The same row may spell its identity in another way.
        if old.anchorID == new.anchorID { return }
        let (oldList, list) = (old.list, new.list)
        if list.contains(oldAnchor) {
            if anchor != oldAnchor { note("its anchor is \(anchor), though \(oldAnchor) is in the list") }
            return
        }
        guard let delivered else { return note("its anchor became \(anchor) without a change set") }
        if delivered.isReload { return }
        if !(delivered.windowPlace?.isAnchorReplaced ?? false) { note("no record of another anchor") }
        guard changes.count == 1, !changes[0].isReload, changes[0].changeSet.sectionMoves.isEmpty,
            let old = oldList.firstIndex(of: oldAnchor), let new = list.firstIndex(of: anchor)
        else { return }
        let leaving = Array(changes[0].changeSet.deletes) + changes[0].changeSet.moves
        let left = Set(leaving.map { changes[0].identity(of: $0) })
        let after = oldList[old...].first { !left.contains($0) }.flatMap(list.firstIndex)
        let before = oldList[..<old].last { !left.contains($0) }.flatMap(list.firstIndex)
        let isBetween = new <= after ?? list.count - 1 && (after == nil || new > before ?? -1)
        if !isBetween { note("its anchor is \(anchor), which is not where \(oldAnchor) was in \(oldList): \(list)") }
    }

    private func note(_ fault: String) { world.note("window: \(fault)") }

    // MARK: Callbacks

    func listWillChange(_ list: any LiveList) {
        isInBracket = true
        // Which a fetch has changed already.
        guard let shown = try? shown(), shown.joined().count == mirror.joined().count else { return }
        if shown != mirror { note("it shows \(shown) before a change, not \(mirror)") }
    }

    func list(_ list: any LiveList, didDeliver changes: ListChanges) {
        deliveries.append(changes)
        do {
            checkAnchor(in: try currentState(), after: changes)
            if changes.isReload {
                mirror = try shown()
                return
            }
            let place = changes.windowPlace
            if try place?.position != window.position || place?.anchor != window.anchor.map(window.index) {
                note("a change set names the place \(String(describing: place))")
            }
            let replayed = try changes.changeSet.applied(to: mirror.map { ReplayedSection((), $0) }) { _, _ in
            } row: { change, _ in
                guard let path = change.newPath else { throw StoreError(.error, "a deleted row was asked for") }
                return try row(at: path)
            }
            mirror = replayed.map(\.rows)
        } catch {
            note("a change set can't be replayed: \(error)")
        }
    }

    func listDidChange(_ list: any LiveList) { isInBracket = false }

    var wantsSingleChanges: Bool { false }
}

private final class ListDeliveries: FetchedResultsObserver {
    var deliveries: [ListChanges] = []

    func list(_ list: any LiveList, didDeliver changes: ListChanges) { deliveries.append(changes) }

    var wantsSingleChanges: Bool { false }
}
