import Testing

@testable import OrderedTree

@Suite("Bulk build")
struct BulkBuildTests {
  /// Before: sorted hard keys. Change: bulk build, then random edits.
  /// Expected: the same list as by single inserts, all invariants hold.
  @Test(arguments: HardKeys.allCases, 0..<10)
  func buildsWhatWasGiven(kind: HardKeys, seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var model = ModelledRows()
    for _ in 0..<(1 + random.below(5)) {
      var keys = Set<[UInt8]>()
      for _ in 0..<random.below(120) { keys.insert(kind.make(&random)) }
      let section = model.index.beginSection()
      model.sections.append((section, []))
      for key in keys.sorted(by: sorted(_:before:)) {
        model.nextID += 1
        let id = model.nextID
        key.withUnsafeBytes { model.index.append(id: id, key: $0, keyHash: UInt32(id)) }
        model.keys[id] = key
        model.sections[model.sections.count - 1].rows.append(id)
      }
    }
    try model.index.finishBulk()
    try #require(model.difference() == nil, "\(kind), seed \(seed)")
    for _ in 0..<120 {
      let section = random.below(model.sections.count)
      let rows = model.sections[section].rows
      if !rows.isEmpty, random.below(2) == 0 {
        let row = random.below(rows.count)
        model.sections[section].rows.remove(at: row)
        #expect(model.index.remove(id: rows[row]) != nil)
      } else {
        try model.insert(kind.make(&random), in: section)
      }
      try #require(model.difference() == nil, "\(kind), seed \(seed)")
    }
  }

  /// Before: an empty index. Change: a bulk build in which an id comes twice, or keys out of order.
  /// Expected: it is refused and the index is empty and usable.
  @Test(arguments: [3, 4, 9, 400])
  func refusesWhatCannotStand(rows: Int) throws {
    let index = SectionedRows(keyed: true, leafCapacity: 4, fanout: 4)
    for wrongOrder in [false, true] {
      _ = index.beginSection()
      for row in 0..<rows {
        let number = wrongOrder && row == rows - 1 ? 0 : row
        [UInt8(number >> 8), UInt8(number & 255)].withUnsafeBytes {
          index.append(
            id: Int64(!wrongOrder && row == rows - 1 ? 0 : row), key: $0, keyHash: 0)
        }
      }
      #expect(
        throws: wrongOrder
          ? OrderedTreeError.outOfOrder(Int64(rows - 1)) : OrderedTreeError.duplicateRow(0)
      ) { try index.finishBulk() }
      #expect(index.rowCount == 0 && index.sectionCount == 0)
      #expect(index.checkInvariants().isEmpty)
    }
  }

  /// Before: 100,000 rows. Change: bulk build. Expected: about 24 bytes a row.
  @Test func holdsLittle() throws {
    let index = SectionedRows(keyed: true)
    _ = index.beginSection()
    for row in 0..<100_000 {
      withUnsafeBytes(of: UInt64(row).bigEndian) {
        index.append(id: Int64(row), key: $0, keyHash: 0)
      }
    }
    try index.finishBulk()
    #expect(index.bytesHeld < 100_000 * 25)
  }
}
