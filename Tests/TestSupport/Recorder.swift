package import ChangeSets
package import FetchedResults
package import SQLiteKit

/// Records the notifications of a controller, in their order.
package final class Recorder: FetchedResultsObserver {
    package private(set) var events: [String] = []
    package private(set) var deliveries: [ListChanges] = []
    package private(set) var errors: [StoreError] = []
    package var willChange: (any LiveList) -> Void = { _ in }
    package var didDeliver: (any LiveList) -> Void = { _ in }
    package var didChange: (any LiveList) -> Void = { _ in }
    package var didFail: (any LiveList) -> Void = { _ in }

    package init() {}

    package func listWillChange(_ controller: any LiveList) {
        events.append("will")
        willChange(controller)
    }

    package func list(
        _ controller: any LiveList, didChange section: SectionInfo, _ change: SectionChange, in changes: ListChanges
    ) {
        events.append("\(change)")
    }

    package func list(
        _ controller: any LiveList, didChange object: FetchedObject?, _ change: ObjectChange, in changes: ListChanges
    ) {
        events.append("\(change)")
    }

    package func listDidReload(_ controller: any LiveList) { events.append("reload") }

    package func list(_ controller: any LiveList, didDeliver changes: ListChanges) {
        deliveries.append(changes)
        didDeliver(controller)
    }

    package func listDidChange(_ controller: any LiveList) {
        events.append("did")
        didChange(controller)
    }

    package func list(_ controller: any LiveList, didFail error: StoreError) {
        events.append("failed")
        errors.append(error)
        didFail(controller)
    }

    /// The records of all deliveries since the last call.
    package func take() -> [String] {
        defer {
            deliveries = []
            events = []
        }
        return deliveries.flatMap(\.summary)
    }
}

extension ListChanges {
    /// The records in short: "insert 3 at 0.1", "move 3 from 0.1 to 1.0 name", "section delete 2
    /// B".
    package var summary: [String] {
        func word(_ path: ListIndexPath) -> String { "\(path.section).\(path.row)" }
        let sections = changeSet.sectionChanges.map { change in
            let places = [change.oldIndex, change.newIndex].compactMap { $0.map { "\($0)" } }.joined(separator: " to ")
            return "section \(change.type) \(places) \(sectionName(of: change) ?? "-")"
        }
        let objects = changeSet.objectChanges.map { change in
            let id = identity(of: change).map { "\(Cell($0))" }.joined(separator: "/").filter { $0 != "\"" }
            let places = [change.oldPath, change.newPath].compactMap { $0.map(word) }
            var text =
                "\(change.type) \(id) " + (places.count == 1 ? "at \(places[0])" : "from \(places[0]) to \(places[1])")
            if let changed = change.changedColumns.columns {
                let columns = source.columns(of: change)
                text += changed.map { " " + (columns.indices.contains($0) ? columns[$0] : "#\($0)") }.joined()
            } else {
                text += " something"
            }
            return text
        }
        return sections + objects
    }

    /// The old values of the object of each record.
    package var oldValues: [[Value]?] { changeSet.objectChanges.map { oldValues(of: $0) } }
}
