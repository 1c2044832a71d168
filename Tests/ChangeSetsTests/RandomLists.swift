import TestSupport
@testable import ChangeSets

/// A list of at most `size` sections, each with at most that many rows.
func randomList(_ size: Int, _ random: inout SeededRandom) -> [ModelSection] {
    let sections = (0..<Int.random(in: 0...size, using: &random)).map { index in
        ModelSection(id: Int32(index + 1), key: Int.random(in: 0...20, using: &random))
    }
    var nextId: Int64 = 1
    return sections.map { section in
        var section = section
        for _ in 0..<Int.random(in: 0...size, using: &random) {
            section.rows.append(ModelRow(id: nextId, key: Int.random(in: 0...20, using: &random)))
            nextId += 1
        }
        return section
    }.inOrder
}

/// Edits of all kinds: deletes, inserts, new keys and new contents, of rows and of sections; how
/// many of each varies. Ids of new rows begin with `newIDs`, those of new sections with a tenth of
/// it.
func edited(_ old: [ModelSection], newIDs: Int64 = 10_000, _ random: inout SeededRandom) -> [ModelSection] {
    func percent() -> Int { [0, 0, 15, 40, 90].randomElement(using: &random) ?? 0 }
    let (goes, comes, rekeys, rewrites, migrates) = (percent(), percent(), percent(), percent(), percent())
    let (sectionGoes, sectionComes, sectionRekeys) = (percent(), percent(), percent())
    var new = old.filter { _ in !random.chance(sectionGoes) }
    for index in new.indices {
        if random.chance(sectionRekeys) { new[index].key = Int.random(in: 0...20, using: &random) }
        if random.chance(rewrites) { new[index].content += 1 }
        new[index].rows = []
    }
    for id in 0..<Int32(4) where random.chance(sectionComes) {
        new.append(ModelSection(id: Int32(newIDs / 10) + id, key: Int.random(in: 0...20, using: &random)))
    }
    guard !new.isEmpty else { return [] }
    for section in old {
        for row in section.rows where !random.chance(goes) {
            var row = row
            if random.chance(rekeys) { row.key = Int.random(in: 0...20, using: &random) }
            if random.chance(rewrites) { row.content += 1 }
            var home = new.firstIndex { $0.id == section.id }
            if home == nil && random.chance(50) || random.chance(migrates) {
                home = Int.random(in: 0..<new.count, using: &random)
            }
            if let home { new[home].rows.append(row) }
        }
    }
    for id in 0..<Int64(6) where random.chance(comes) {
        let home = Int.random(in: 0..<new.count, using: &random)
        new[home].rows.append(ModelRow(id: newIDs + id, key: Int.random(in: 0...20, using: &random)))
    }
    return new.inOrder
}
