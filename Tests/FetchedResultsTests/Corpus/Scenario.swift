import ChangeSets
import SQLiteKit
import TestSupport

@testable import FetchedResults
@testable import ListEngine

/// The steps of one random run and the contents that its lists had to show, as JSON lines;
/// Tests/Corpus/README.md describes them.
final class Scenario {
    private(set) var lines: [String] = []
    private var numberOfLists = 0
    /// The rows that pictures name by number, in the order in which they were first shown.
    private var rows: [Row: Int] = [:]
    private var newRows: [JSON] = []
    /// By list: its contents when they were last noted, and as they were last written.
    private var shown: [Int: Picture] = [:]
    private var written: [Int: String] = [:]
    /// By list: the totals of the list, and then of its sections.
    private var totals: [Int: [[Cell]]] = [:]
    /// By list: of each row that totals or groups summarize its section, or its keys, and its
    /// values.
    private var sources: [Int: [[Cell]]] = [:]
    /// Lists of which contents were noted since.
    private var noted: Set<Int> = []
    /// By list: the deliveries since then, and the errors that it reported.
    private var brackets: [Int: [JSON]] = [:]
    private var errors: [Int: [JSON]] = [:]
    /// Lists that can't follow the database now, so that rows may be gone.
    private var stale: Set<Int> = []
    private var hasSteps = false

    private struct Row: Hashable {
        let identity: [Cell]
        let content: [Cell]
    }

    init(_ name: String, isFile: Bool, isQueued: Bool) {
        var members: [(String, JSON)] = [("scenario", JSON(name))]
        if isFile { members.append(("file", true)) }
        if isQueued { members.append(("queued", true)) }
        write(members)
    }

    private func write(_ members: [(String, JSON)]) { lines.append(JSON(members).text) }

    // MARK: Steps

    func newList() -> Int {
        numberOfLists += 1
        return numberOfLists - 1
    }

    /// A step of the run.
    func step(_ members: [(String, JSON)], fails error: StoreError.Status? = nil) {
        write(members + (error.map { [("fails", JSON(Int($0.rawValue)))] } ?? []))
        hasSteps = true
    }

    /// A list that the program releases.
    func free(_ list: Int) {
        shown[list] = nil
        noted.remove(list)
        step([("free", JSON(list))])
    }

    // MARK: Expectations

    /// Notes the contents of a list, and its deliveries; `isStale` if it is paused or can't be
    /// read.
    func note(
        _ list: Int, _ changes: [ListChanges], _ failures: [StoreError.Status], _ picture: Picture,
        totals: [[Cell]]? = nil, of source: [[Cell]]? = nil, isStale: Bool = false
    ) {
        self.totals[list] = totals
        sources[list] = source
        if isStale { stale.insert(list) }
        for changes in changes {
            // The contents of the list between two brackets are not written.
            let old = brackets[list, default: []].isEmpty ? shown[list] : nil
            brackets[list, default: []].append(json(changes, old: old))
        }
        errors[list, default: []] += failures.map { JSON(Int($0.rawValue)) }
        shown[list] = picture
        noted.insert(list)
    }

    /// Writes what all lists have to show and to have delivered by now; lists that are left out are
    /// unchanged.
    func settle() {
        let expectations = (0..<numberOfLists).compactMap { list -> JSON? in
            var members: [(String, JSON)] = [("list", JSON(list))]
            if let delivered = brackets[list], !delivered.isEmpty { members.append(("brackets", JSON(delivered))) }
            if let failures = errors[list], !failures.isEmpty { members.append(("errors", JSON(failures))) }
            // Only now, as the order in which fetches end, and so in which rows are named, depends
            // on threads.
            if noted.contains(list), let picture = shown[list], changed(list, picture) {
                members += contents(list, picture)
            }
            return members.count > 1 ? JSON(members) : nil
        }
        brackets = [:]
        errors = [:]
        noted = []
        let staleLists = stale.sorted()
        stale = []
        guard hasSteps || !expectations.isEmpty else { return }
        hasSteps = false
        writeRows()
        let members: [(String, JSON)] = [("then", JSON(expectations))]
        write(members + (staleLists.isEmpty ? [] : [("stale", JSON(staleLists.map { JSON($0) }))]))
    }

    /// Writes the contents of one list since it was fetched, while others may wait for a delivery.
    func fetched(_ list: Int, _ picture: Picture, totals: [[Cell]]? = nil, of source: [[Cell]]? = nil) {
        shown[list] = picture
        self.totals[list] = totals
        sources[list] = source
        noted.remove(list)
        _ = changed(list, picture)
        let contents = contents(list, picture)
        writeRows()
        write([("list", JSON(list))] + contents)
    }

    /// Whether the contents of a list are not the ones that were written last.
    private func changed(_ list: Int, _ picture: Picture) -> Bool {
        let text = JSON(contents(list, picture)).text
        defer { written[list] = text }
        return text != written[list]
    }

    /// The contents of a list, with its totals.
    private func contents(_ list: Int, _ picture: Picture) -> [(String, JSON)] {
        var members: [(String, JSON)] = [("shows", json(picture, totals[list]?.dropFirst().map(\.self)))]
        if let all = totals[list]?.first { members.append(("totals", JSON(all.map { JSON($0) }))) }
        if let rows = sources[list] { members.append(("of", JSON(rows.map { JSON($0.map { JSON($0) }) }))) }
        return members
    }

    private func writeRows() {
        if !newRows.isEmpty { write([("rows", JSON(newRows))]) }
        newRows = []
    }

    // MARK: Pictures

    private func number(_ identity: [Cell], _ content: [Cell]) -> JSON {
        let row = Row(identity: identity, content: content)
        if let number = rows[row] { return JSON(number) }
        rows[row] = rows.count
        newRows.append([JSON(identity.map { JSON($0) }), JSON(content.map { JSON($0) })])
        return JSON(rows.count - 1)
    }

    private func json(_ picture: Picture, _ totals: [[Cell]]?) -> JSON {
        JSON(
            picture.sections.enumerated().map { index, section in
                var members: [(String, JSON)] = []
                if let value = section.value, value != .null { members.append(("value", JSON(value))) }
                // The names of values that are no text in UTF-8 depend on the encoding of the
                // database.
                let hasName = section.value.map { $0.isUnicode } ?? true
                if hasName, let name = section.name { members.append(("name", JSON(name))) }
                if section.titled?.cell.isUnicode == true {
                    members.append(("title", section.indexTitle.map { JSON($0) } ?? .null))
                }
                if section.isRow { members.append(("row", JSON(section.content.map { JSON($0) }))) }
                if let totals, totals.indices.contains(index) {
                    members.append(("totals", JSON(totals[index].map { JSON($0) })))
                }
                members.append(("rows", JSON(section.rows.map { number($0.identity.map { Cell($0) }, $0.content) })))
                return JSON(members)
            })
    }

    // MARK: Change sets

    private func json(_ changes: ListChanges, old: Picture?) -> JSON {
        let changeSet = changes.changeSet
        if changeSet.isReload { return "reload" }
        let records =
            changeSet.sectionChanges.map { json($0, changes, old) }
            + changeSet.objectChanges.map { json($0, changes, old) }
        let steps = changeSet.sequential().map { step in
            step.kind == .section
                ? Self.word(step.type, section: step.source?.section, step.target?.section)
                : Self.word(step.type, step.source, step.target)
        }
        var members: [(String, JSON)] = [
            ("records", JSON(records)), ("steps", JSON(steps.joined(separator: "; "))),
        ]
        if !changes.totals.isEmpty { members.append(("totals", JSON(changes.totals.map { JSON($0) }))) }
        return JSON(members)
    }

    private static func word(_ type: ChangeType, section old: Int?, _ new: Int?) -> String {
        "section \(type) " + places(old.map { "\($0)" }, new.map { "\($0)" })
    }

    private static func word(_ type: ChangeType, _ old: ListIndexPath?, _ new: ListIndexPath?) -> String {
        "\(type) " + places(old.map { "\($0.section).\($0.row)" }, new.map { "\($0.section).\($0.row)" })
    }

    private static func places(_ old: String?, _ new: String?) -> String {
        [old, new].compactMap(\.self).joined(separator: ">")
    }

    private static func word(_ columns: ColumnSet) -> String {
        guard let columns = columns.columns else { return " {?}" }
        return columns.isEmpty ? "" : " {\(columns.map { "\($0)" }.joined(separator: ","))}"
    }

    private func json(_ change: SectionChange, _ changes: ListChanges, _ old: Picture?) -> JSON {
        let word = Self.word(change.type, section: change.oldIndex, change.newIndex) + Self.word(change.changedColumns)
        guard let index = change.oldIndex else { return JSON(word) }
        guard let old else { return [JSON(word), .null] }
        guard old.sections[index].isRow else { return JSON(word) }
        return json(word, was: changes.source.oldContent(of: change)?.cells, shown: old.sections[index].content)
    }

    private func json(_ change: ObjectChange, _ changes: ListChanges, _ old: Picture?) -> JSON {
        let word = Self.word(change.type, change.oldPath, change.newPath) + Self.word(change.changedColumns)
        guard let path = change.oldPath else { return JSON(word) }
        guard let old else { return [JSON(word), .null] }
        let shown = old.sections[path.section].rows[path.row].content
        return json(word, was: changes.source.oldContent(of: change)?.cells, shown: shown)
    }

    /// A record has its old values only if they are not those that were shown.
    private func json(_ record: String, was: [Cell]?, shown: [Cell]) -> JSON {
        was == shown ? JSON(record) : [JSON(record), was.map { JSON($0.map { JSON($0) }) } ?? .null]
    }
}

extension Cell {
    /// Whether its text is the same in every encoding.
    fileprivate var isUnicode: Bool {
        switch self {
        case .text(let bytes): String(validating: bytes, as: UTF8.self) != nil
        case .blob: false
        default: true
        }
    }
}
