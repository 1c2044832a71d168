internal import ChangeSets
internal import ListEngine
internal import SQLiteKit

/// Where a window is opened.
public enum WindowStart: Sendable {
    /// At the first row.
    case beginning
    /// At the last row.
    case end
    /// At the row with a number over all sections.
    case index(Int)
    /// At the row with an index path.
    case path(ListIndexPath)
    /// At the row with an identity.
    case identity([Value])
    /// At the first row of the first section with a name.
    case section(String)
}

/// Windows on the list.
extension FetchedResultsController {
    /// Opens a window on the list, which shows a row and up to `before` rows before it and `after`
    /// rows after it. In a list without rows, a window at the beginning or at the end shows nothing
    /// until the list gets rows.
    ///
    /// Throws `range` for an index or a path that the list does not have, `notFound` for another
    /// row or section that it does not have, `notFetched`, and `misuse` while observers are
    /// notified that the list will change.
    ///
    /// - Complexity: O(log w) for w windows, O(log n) for n rows, and the number of rows shown; for
    ///   a section's name, also O(s) for s sections. Shifting the windows behind it takes 16 bytes
    ///   for each.
    public func window(at start: WindowStart = .beginning, before: Int = 0, after: Int) throws -> ListWindow {
        let extent = try WindowExtent(checkedBefore: before, after: after)
        let place = try place(of: start)
        guard !engine.isBetweenStates else {
            throw StoreError(.misuse, "no window can be opened before the list has changed: open it afterwards")
        }
        guard let window = try engine.openWindow(around: place, extent) else {
            throw StoreError(.notFetched, "the controller has not fetched yet")
        }
        return ListWindow(self, window)
    }

    private func place(of start: WindowStart) throws -> Int {
        let list = try shownList()
        switch start {
        case .beginning: return 0
        case .end: return list.count - 1
        case .index(let index): return try self.index(of: indexPath(at: index))
        case .path(let path): return try index(of: path)
        case .identity(let identity):
            guard let path = try indexPath(ofIdentity: identity) else {
                throw StoreError(.notFound, "no row of the list has the identity \(identity)")
            }
            return try index(of: path)
        case .section(let name):
            let section = (0..<list.sectionCount).first { list.section(at: $0).value.text(ifAny: 0) == name }
            guard let section, try numberOfObjects(inSection: section) > 0 else {
                throw StoreError(.notFound, "no section with rows has the name \(name)")
            }
            return try index(of: ListIndexPath(section: section, row: 0))
        }
    }

    var openWindows: [any NotifyingList] { windows }

    var hasWindows: Bool { engine.windows != nil }

    private var windows: [ListWindow] { engine.windows?.all.compactMap { $0.owner as? ListWindow } ?? [] }

    // MARK: Deliveries

    func windowParts(_ prepared: PreparedState) -> [Delivery.ListPart] {
        if engine.mustHangWindowsAgain(prepared) { return windowPartsOfFetch }
        do {
            return try engine.prepareWindows(prepared).compactMap { step in
                (step.window.owner as? ListWindow)?.part(step)
            }
        } catch {
            announcer.notifyFailure(self, StoreError(any: error))
            return []
        }
    }

    var windowPartsOfFetch: [Delivery.ListPart] { windows.map(\.partOfFetch) }

    func discardWindowChanges() { for window in windows { window.discardFetched() } }

    /// Calls `show`, which shows the list as it was read again, and hangs the windows on its rows.
    func hangingWindowsAgain<Result: ~Copyable>(_ show: () -> Result) -> Result {
        engine.hangingWindowsAgain(show) { ($0.owner as? ListWindow)?.noteFetched($1) }
    }
}

extension RowValues {
    /// The value of a column as text; nil without such a column.
    fileprivate func text(ifAny column: Int) -> String? { count > column ? text(column) : nil }
}
