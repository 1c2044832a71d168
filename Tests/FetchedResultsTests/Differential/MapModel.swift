import SQLiteKit
import TestSupport

@testable import FetchedResults

/// A random section map: items, the rows or keys that are their sections, and the mapping between
/// them.
struct MapModel {
    var sections: RequestModel
    /// Keys that are the sections, in place of rows.
    var keys: [Value]?
    /// The column of a section's row from which index titles are made; nil where it is the key.
    private(set) var titleColumn: String?
    /// The path from an item to its section's key.
    let itemKey: RequestModel.Path
    /// The column of a section's row that holds the key; nil where the item's path determines it.
    let sectionKey: String?
    /// The same, never nil.
    let keyColumn: String
    var emptySections: EmptySections
    var itemsWithoutSection: ItemsWithoutSection

    init(_ schema: Schema, _ random: inout SeededRandom) {
        sections = RequestModel(schema, entity: schema.lists, &random).asSections()
        let paths = RequestModel.paths(schema.items)
        func path(_ text: String) -> RequestModel.Path { paths.first { $0.text == text } ?? paths[0] }
        switch random.below(10) {
        case 0..<6: (itemKey, sectionKey, keyColumn) = (path("list_id"), nil, "id")
        case 6: (itemKey, sectionKey, keyColumn) = (path("list_id.id"), nil, "id")
        case 7: (itemKey, sectionKey, keyColumn) = (path("a"), "id", "id")
        case 8: (itemKey, sectionKey, keyColumn) = (path("list_id.name"), nil, "name")
        default: (itemKey, sectionKey, keyColumn) = (path("a"), "position", "position")
        }
        emptySections = random.chance(60) ? .shown : .hidden
        itemsWithoutSection = random.pick([.shown, .shown, .hidden, .alwaysShown])
        if random.chance(35) { keys = Self.newKeys(&random) } else if random.chance(50) { titleColumn = "name" }
    }

    /// Some keys that items have, no two of them equal.
    private static func newKeys(_ random: inout SeededRandom) -> [Value] {
        let numbers: [Value] = (1...6).map { .integer($0) }
        return Array((numbers + Values.keys).shuffled(using: &random).prefix(1 + random.below(8)))
    }

    /// Retains some of its keys in another order, among new ones.
    mutating func changeKeys(_ random: inout SeededRandom) {
        guard let old = keys else { return }
        let kept = old.filter { _ in random.chance(70) }
        let new = Self.newKeys(&random).filter { key in !old.contains { Cell($0) == Cell(key) } }
        keys = random.chance(50) ? (kept + new.prefix(2)).shuffled(using: &random) : kept + new.prefix(2)
    }

    var isPossible: Bool { keys != nil || sections.isPossible }

    var sectionContent: [RequestModel.Path] {
        guard keys == nil else { return [] }
        var content = sections.content ?? RequestModel.paths(sections.entity).filter { !$0.isKeyPath }
        for column in [keyColumn, titleColumn] where !content.contains(where: { $0.text == column }) {
            content += RequestModel.paths(sections.entity).filter { $0.text == column }
        }
        return content
    }
}

extension MapModel: CustomStringConvertible {
    var description: String {
        "map by \(itemKey.text) to \(keys.map { "\($0)" } ?? "\(keyColumn) of \(sections)"), \(emptySections) \(itemsWithoutSection)"
    }
}

extension Oracle {
    /// The contents that a section map has to show; nil if two sections have the same key.
    func picture(
        _ map: MapModel, sectionContent: [RequestModel.Path], _ items: RequestModel, content: [RequestModel.Path]
    ) throws -> Picture? {
        let keyPath = RequestModel.paths(map.sections.entity).first { $0.text == map.keyColumn }
        guard let keyPath else { return nil }
        let collation = map.keys == nil ? keyPath.collation : .binary
        let rows = map.keys == nil ? try picture(map.sections, content: sectionContent + [keyPath]).rows : []
        let items = try picture(items.asSections(), content: content + [map.itemKey]).rows
        var picture = Picture(sections: [])
        var places: [Cell: Int] = [:]
        for key in (map.keys ?? []).map({ Cell($0) }) {
            places[key] = picture.sections.count
            picture.sections.append(Picture.Section(value: key, name: try text(key), key: key))
        }
        for row in rows {
            let value = row.content[sectionContent.count]
            let key = value.representative(collation)
            if value != .null {
                guard places[key] == nil else { return nil }
                places[key] = picture.sections.count
            }
            var section = Picture.Section(
                value: value, name: try text(value), key: .text(Array("\(row.id)".utf8)), isRow: true,
                content: Array(row.content.prefix(sectionContent.count)), sortKeys: row.sortKeys,
                sortValues: row.sortValues)
            if let column = sectionContent.firstIndex(where: { $0.text == map.titleColumn }) {
                section.titled = (row.content[column], try text(row.content[column]))
            }
            picture.sections.append(section)
        }
        var orphans = Picture.Section(value: .null, name: nil, key: .null)
        for item in items {
            let key = item.content[content.count].representative(collation)
            let row = Picture.Row(
                id: item.id, identity: item.identity, sortValues: item.sortValues, sortKeys: item.sortKeys,
                content: Array(item.content.prefix(content.count)))
            if let place = places[key] { picture.sections[place].rows.append(row) } else { orphans.rows.append(row) }
        }
        if map.emptySections == .hidden { picture.sections.removeAll(where: \.rows.isEmpty) }
        switch map.itemsWithoutSection {
        case .shown: if !orphans.rows.isEmpty { picture.sections.append(orphans) }
        case .hidden: break
        case .alwaysShown: picture.sections.append(orphans)
        }
        return picture
    }

    /// A value as SQLite casts it to text.
    private func text(_ cell: Cell) throws -> String? {
        if let text = cell.blobText { return text }
        let statement = try connection.prepare("SELECT CAST(? AS TEXT)")
        try statement.bind([cell.value])
        guard try statement.step() else { return nil }
        return statement.rowValues(from: 0, count: 1).value(0).text
    }
}
