import ChangeSets
import FetchedResults
import FetchedResultsViews
import TestSupport

/// Records a view's calls in short form: "reload", "[", "rows -0.1", "]".
final class LoggingView: GroupedView {
    private var entries: [String] = []
    var didReload: () -> Void = {}
    var didEnd: () -> Void = {}
    /// Called with the number of each entry, after it was recorded.
    var didNote: (Int) -> Void = { _ in }

    /// The entries since the last call.
    func take() -> [String] {
        defer { entries = [] }
        return entries
    }

    func note(_ entry: String) {
        entries.append(entry)
        didNote(entries.count - 1)
    }

    func reload() {
        note("reload")
        didReload()
    }

    func beginUpdates() { note("[") }
    func deleteSections(_ sections: [Int]) { note("sections -" + sections.map { "\($0)" }.joined(separator: " ")) }
    func insertSections(_ sections: [Int]) { note("sections +" + sections.map { "\($0)" }.joined(separator: " ")) }

    func moveSections(_ sections: [SectionPlaces]) {
        note("sections " + sections.map { "\($0.old)>\($0.new)" }.joined(separator: " "))
    }

    func deleteRows(_ rows: [ListIndexPath]) { note("rows -" + rows.map(short).joined(separator: " ")) }
    func insertRows(_ rows: [ListIndexPath]) { note("rows +" + rows.map(short).joined(separator: " ")) }
    func moveRows(_ rows: [RowPlaces]) { note("rows " + rows.map(short).joined(separator: " ")) }
    func reloadRows(_ rows: [RowPlaces]) { note("reload " + rows.map(short).joined(separator: " ")) }

    func updateSections(_ sections: [SectionPlaces]) {
        note("headers " + sections.map { "\($0.old)>\($0.new)" }.joined(separator: " "))
    }

    func endUpdates() {
        note("]")
        didEnd()
    }
}

private func short(_ places: RowPlaces) -> String { "\(short(places.old))>\(short(places.new))" }
private func short(_ path: ListIndexPath) -> String { "\(path.section).\(path.row)" }

/// A coordinator, and a view that records its calls.
final class Stage {
    let view = LoggingView()
    private(set) var coordinator: Coordinator<FetchedObject>?
    /// Called with each cell to update, after it was recorded.
    var didUpdateCell: () -> Void = {}

    init(_ list: any LiveList, _ options: ViewOptions = ViewOptions(), updatesCells: Bool = false) {
        let updateCell: Coordinator<FetchedObject>.CellUpdate = { [weak self] path, object in
            self?.view.note("cell \(path.section).\(path.row) \(object.word("name"))")
            self?.didUpdateCell()
        }
        coordinator = Coordinator(view: view, list: list, options: options, updateCell: updatesCells ? updateCell : nil)
        coordinator?.countChanged = { [view] in view.note("count \($0)") }
    }

    func load() throws { try coordinator?.loadData() }
    func pause() { coordinator?.isPaused = true }
    func resume() { coordinator?.isPaused = false }
    func release() { coordinator = nil }
    func take() -> [String] { view.take() }
}

extension FetchedObject {
    /// The value of a column as text.
    func word(_ column: String) -> String {
        let cell = ColumnCell(columns: [column])
        cell.object = self
        return cell.texts[0]
    }
}
