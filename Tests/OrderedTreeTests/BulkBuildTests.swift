import TestSupport
import Testing

@testable import OrderedTree

@Suite("Bulk build")
struct BulkBuildTests {
    /// Before: sorted hard keys. Change: bulk build, row by row or in runs, then random edits.
    /// Expected: the same list as by single inserts; all invariants are true.
    @Test(arguments: HardKeys.short, RandomTests.seeds(0..<2))
    func buildsTheSameListAsInserts(kind: HardKeys, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var model = ModelledRows()
        for _ in 0..<(1 + random.below(5)) {
            var keys = Set<[UInt8]>()
            for _ in 0..<random.below(120) { keys.insert(kind.make(&random)) }
            let section = model.index.beginSection()
            model.sections.append((section, []))
            let rows = keys.sorted(by: sorted(_:before:))
            let first = model.nextID + 1
            if random.below(2) == 0 {
                for (offset, key) in rows.enumerated() {
                    let id = first + Int64(offset)
                    key.withUnsafeBytes { model.index.append(id: id, key: $0, keyHash: UInt32(id)) }
                }
            } else {
                let middle = random.below(rows.count + 1)
                append(rows, 0..<middle, first: first, to: model.index)
                append(rows, middle..<rows.count, first: first, to: model.index)
            }
            for key in rows {
                model.nextID += 1
                model.keys[model.nextID] = key
                model.sections[model.sections.count - 1].rows.append(model.nextID)
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

    /// Before: an index of some ids, close together or far apart. Change: a bulk build, prepared
    /// like that, of some of the same rows and others, or of one that occurs twice, or of one that
    /// is out of order; then rows are removed. Expected: all invariants are true, and each row is
    /// found by its id; a row that occurs twice or is out of order is refused, and leaves an empty
    /// index.
    @Test(arguments: RandomTests.seeds(0..<60))
    func buildsAreIndependentOfTheirPreparation(seed: UInt64) throws {
        var random = SeededRandom(seed: seed &+ 9_000)
        let capacity = 2 + random.below(8)
        let spread = random.pick([1, 1, 2, 1000])
        let earlier = try list((0..<Int64(random.below(200))).map { $0 * Int64(spread) }, capacity)
        var ids = (0..<Int64(random.below(300))).filter { _ in random.below(8) != 0 }.map { $0 * Int64(spread) }
        if random.below(3) == 0 { ids.append(random.pick([-1, 100_000, .max])) }
        let list = ListTree(keyed: true, leafCapacity: capacity, fanout: 4)
        list.prepareBulk(like: earlier)
        _ = list.beginSection()
        let fault = ids.count > 20 ? random.below(4) : 2
        if fault == 0 { ids.append(ids[random.below(ids.count)]) }
        for (row, id) in ids.enumerated() {
            let number = fault == 1 && row == ids.count / 2 ? 0 : row + 1
            key(number).withUnsafeBytes { list.append(id: id, key: $0, keyHash: UInt32(row)) }
        }
        if fault < 2 {
            #expect(throws: OrderedTreeError.self, "seed \(seed)") { try list.finishBulk() }
            #expect(list.rowCount == 0 && list.sectionCount == 0 && list.checkInvariants().isEmpty, "seed \(seed)")
            return
        }
        try list.finishBulk()
        #expect(list.checkInvariants().isEmpty, "seed \(seed)")
        for (row, id) in ids.enumerated() { #expect(list.place(of: id)?.row == row, "seed \(seed)") }
        let removed = Set(ids.filter { _ in random.below(2) == 0 })
        for id in removed { #expect(list.remove(id: id) != nil, "seed \(seed)") }
        #expect(list.checkInvariants().isEmpty, "seed \(seed)")
        for id in ids { #expect(list.contains(id) != removed.contains(id), "seed \(seed)") }
    }

    /// An index of rows in the order of their ids.
    private func list(_ ids: [Int64], _ capacity: Int) throws -> ListTree {
        let list = ListTree(keyed: true, leafCapacity: capacity, fanout: 4)
        _ = list.beginSection()
        for (row, id) in ids.enumerated() {
            key(row).withUnsafeBytes { list.append(id: id, key: $0, keyHash: UInt32(row)) }
        }
        try list.finishBulk()
        return list
    }

    private func key(_ number: Int) -> [UInt8] { bigEndian(UInt64(number), 4) }

    /// Before: random ids, some next to one another, some at both ends of their range. Change: a
    /// bulk build of rows without keys, in runs. Expected: the leaves are the same as with the keys
    /// of the ids, and other rows are inserted at their places.
    @Test(arguments: RandomTests.seeds(0..<30))
    func rowsWithoutKeysHaveThoseOfTheirIDs(seed: UInt64) throws {
        var random = SeededRandom(seed: seed &+ 5_000)
        var model = ModelledRows(leafCapacity: 4 + random.below(20))
        let keyed = ListTree(keyed: true, leafCapacity: model.index.leafCapacity, fanout: 4)
        var known: Set<Int64> = []
        for _ in 0..<(1 + random.below(4)) {
            let ids = newIDs(&random).subtracting(known).sorted()
            known.formUnion(ids)
            model.sections.append((model.index.beginSection(), ids))
            let section = keyed.beginSection()
            #expect(section == model.sections.last?.id)
            var start = 0
            while start < ids.count {
                let count = min(1 + random.below(60), ids.count - start)
                appendWithoutKeys(ids[start..<(start + count)], to: model.index)
                start += count
            }
            for id in ids {
                model.keys[id] = key(ofID: id)
                key(ofID: id).withUnsafeBytes {
                    keyed.append(id: id, key: $0, keyHash: UInt32(truncatingIfNeeded: id))
                }
            }
        }
        try model.index.finishBulk()
        try keyed.finishBulk()
        try #require(model.difference() == nil, "seed \(seed)")
        for section in model.sections {
            #expect(images(of: section.id, in: model.index) == images(of: section.id, in: keyed), "seed \(seed)")
        }
        for id in newIDs(&random).subtracting(known) {
            let section = random.below(model.sections.count)
            let row = model.lowerBound(of: key(ofID: id), in: section)
            let keys = model.keys
            let place = try model.index.insert(id: id, key: key(ofID: id), in: model.sections[section].id) {
                keys[$0, default: []]
            }
            #expect(place == row)
            model.sections[section].rows.insert(id, at: row)
            model.keys[id] = key(ofID: id)
        }
        try #require(model.difference() == nil, "seed \(seed)")
    }

    /// Before: an empty index. Change: a bulk build of rows without keys, of which one is
    /// misplaced.
    /// Expected: it is refused, and the index is empty.
    @Test(arguments: 1..<40) func rowsWithoutKeysMustBeInOrder(misplaced: Int) {
        let index = ListTree(keyed: true, leafCapacity: 8, fanout: 4)
        _ = index.beginSection()
        let ids = (0..<40).map { Int64($0 == misplaced ? $0 - 2 : $0 * 2) }
        for start in stride(from: 0, to: 40, by: 10) { appendWithoutKeys(ids[start..<(start + 10)], to: index) }
        #expect(throws: OrderedTreeError.self) { try index.finishBulk() }
        #expect(index.rowCount == 0 && index.checkInvariants().isEmpty)
    }

    /// Before: an empty index. Change: a bulk build of two sections of ids that follow one another,
    /// of which some are in both. Expected: it is refused with the first of these, and the index is
    /// empty.
    @Test(arguments: [0, 1, 7, 8, 39]) func rowsWithoutKeysMustDiffer(start: Int64) {
        let index = ListTree(keyed: true, leafCapacity: 8, fanout: 4)
        for first in [0, start] {
            _ = index.beginSection()
            appendWithoutKeys((first..<(first + 40)).map(\.self)[...], to: index)
        }
        #expect(throws: OrderedTreeError.duplicateRow(start)) { try index.finishBulk() }
        #expect(index.rowCount == 0 && index.checkInvariants().isEmpty)
    }

    /// Appends rows as one run, with hashes that follow from their ids.
    private func appendWithoutKeys(_ ids: ArraySlice<Int64>, to index: ListTree) {
        let hashes = ids.map { UInt32(truncatingIfNeeded: $0) }
        ids.withUnsafeBufferPointer { ids in
            hashes.withUnsafeBufferPointer { hashes in
                guard let firstID = ids.baseAddress, let firstHash = hashes.baseAddress else { return }
                index.append(RowRun(ids: firstID, hashes: firstHash, count: ids.count))
            }
        }
    }

    private func newIDs(_ random: inout SeededRandom) -> Set<Int64> {
        var ids: Set<Int64> = []
        for _ in 0..<random.below(6) {
            let first: Int64 = random.pick([.min, -3, 0, 1 << 32, .max - 400, Int64(random.below(1 << 40))])
            let step: Int64 = random.pick([1, 1, 3, 300])
            for place in 0..<Int64(random.below(80)) where first <= .max - place * step {
                ids.insert(first + place * step)
            }
        }
        return ids
    }

    private func key(ofID id: Int64) -> [UInt8] {
        withUnsafeBytes(of: UInt64(bitPattern: id ^ .min).bigEndian) { [UInt8]($0) }
    }

    private func images(of section: SectionID, in index: ListTree) -> [[[UInt8]]] {
        var images: [[[UInt8]]] = []
        index.forEachLeafImage(in: section) { image in
            images.append([
                image.ids.map { UInt8(truncatingIfNeeded: $0) }, image.hashes.map { UInt8(truncatingIfNeeded: $0) },
                [UInt8](image.marks), [UInt8](image.prefix), [UInt8](image.separator),
            ])
        }
        return images
    }

    /// Before: an index after random edits. Change: another one is built of images of its leaves,
    /// and both are edited.
    /// Expected: the same rows; all invariants are true.
    @Test(arguments: HardKeys.short, RandomTests.seeds(0..<3))
    func imagesMakeAnEqualIndex(kind: HardKeys, seed: UInt64) throws {
        var random = SeededRandom(seed: seed &+ 2_000)
        var model = ModelledRows()
        for section in 0..<3 {
            model.insertSection(at: section)
            for _ in 0..<random.below(90) { try model.insert(kind.make(&random), in: section) }
            for _ in 0..<model.sections[section].rows.count / 3 {
                let row = model.sections[section].rows.remove(at: random.below(model.sections[section].rows.count))
                #expect(model.index.remove(id: row) != nil)
            }
        }
        var copy = ModelledRows()
        (copy.keys, copy.nextID) = (model.keys, model.nextID)
        for section in model.sections {
            copy.sections.append((copy.index.beginSection(), section.rows))
            model.index.forEachLeafImage(in: section.id) { copy.index.append($0) }
        }
        try copy.index.finishBulk()
        try #require(copy.difference() == nil, "\(kind), seed \(seed)")
        for _ in 0..<40 {
            let key = kind.make(&random)
            let section = random.below(3)
            try model.insert(key, in: section)
            try copy.insert(key, in: section)
            try #require(copy.difference() == nil, "\(kind), seed \(seed)")
        }
        #expect(copy.ids == model.ids)
    }

    /// Before: two indexes whose leaves are divided differently, by edits. Change: none, or one row
    /// is missing, has another key hash, or follows at the end. Expected: the first rows that both
    /// have, up to that row.
    @Test(arguments: RandomTests.seeds(0..<60))
    func countsTheFirstRowsThatBothHave(seed: UInt64) throws {
        var random = SeededRandom(seed: seed &+ 6_000)
        let rows = random.below(60)
        let changed = random.below(rows + 1)
        let change = random.below(4)
        var other: [(id: Int64, hash: UInt32)] = (0..<Int64(rows)).map { ($0, UInt32($0)) }
        switch change {
        case 1 where changed < rows: other.remove(at: changed)
        case 2 where changed < rows: other[changed].hash = 9_999
        case 3: other.insert((10_000, 0), at: changed)
        default: break
        }
        let (mine, theirs) = (
            ListTree(keyed: false, leafCapacity: 8, fanout: 4), ListTree(keyed: false, leafCapacity: 4)
        )
        let section = mine.insertSection(at: 0)
        for row in 0..<rows { try mine.insert(DetachedRow(id: Int64(row), keyHash: UInt32(row)), in: section, at: row) }
        _ = theirs.beginSection()
        let otherSection = theirs.beginSection()
        for row in other {
            theirs.append(id: row.id, key: UnsafeRawBufferPointer(start: nil, count: 0), keyHash: row.hash)
        }
        try theirs.finishBulk()
        let expected = zip(0..., other).prefix { $0 < rows && $0 == $1.id && $0 == $1.hash }.count
        #expect(commonRows(RowCursor(mine, section), RowCursor(theirs, otherSection)) == expected, "seed \(seed)")
        #expect(commonRows(RowCursor(theirs, otherSection), RowCursor(mine, section)) == expected, "seed \(seed)")
    }

    private func commonRows(_ first: RowCursor, _ second: RowCursor) -> Int {
        var (first, second) = (first, second)
        while true {
            let common = first.commonRows(with: second)
            if common == 0 { return first.row }
            first.drop(common)
            second.drop(common)
        }
    }

    /// Before: an index that has two sections, of which one has `rows` rows, or a list of few rows.
    /// Expected: each row has the place at which a search finds it, and no other id has one.
    @Test(arguments: [0, 1, 5, 200])
    func placesOfManyRows(rows: Int) throws {
        for sections in 1...2 {
            let index = ListTree(keyed: false, leafCapacity: 8, fanout: 4)
            for section in 0..<sections {
                _ = index.beginSection()
                for row in 0..<rows {
                    let id = Int64(sections * row + section)
                    index.append(id: id, key: UnsafeRawBufferPointer(start: nil, count: 0), keyHash: 0)
                }
            }
            try index.finishBulk()
            let places = PlaceFinder(index)
            for id in -1...Int64(sections * rows) {
                let (found, expected) = (places.place(of: id), index.place(of: id))
                #expect(found?.section == expected?.section && found?.row == expected?.row, "\(id)")
            }
        }
    }

    /// Appends some of the rows with these keys as one run.
    private func append(_ keys: [[UInt8]], _ range: Range<Int>, first: Int64, to index: ListTree) {
        let ids = keys.indices.map { first + Int64($0) }
        let hashes = ids.map { UInt32($0) }
        var ends: [Int] = []
        for key in keys { ends.append((ends.last ?? 0) + key.count) }
        let start = range.lowerBound
        let append = { (ids: UnsafePointer<Int64>, hashes: UnsafePointer<UInt32>, ends: UnsafePointer<Int>) in
            keys.flatMap(\.self).withUnsafeBytes { bytes in
                index.append(
                    RowRun(
                        ids: ids + start, hashes: hashes + start, ends: ends + start, count: range.count,
                        keyBytes: bytes, keyStart: start == 0 ? 0 : ends[start - 1]))
            }
        }
        // Arrays become pointers for the duration of the call.
        append(ids, hashes, ends)
    }

    /// Before: an empty index. Change: a bulk build in which an id occurs twice, or keys are out of
    /// order. Expected: it is refused, and the index is empty and usable.
    @Test(arguments: [3, 4, 9, 400])
    func refusesDuplicatesAndDisorder(rows: Int) throws {
        let index = ListTree(keyed: true, leafCapacity: 4, fanout: 4)
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

    /// Before: sections were inserted and removed in an order that leaves the greatest handles free
    /// first. Change: a bulk build of fewer sections, then another section. Expected: they have
    /// their rows.
    @Test func buildsWithHandlesThatWereInUse() throws {
        let index = ListTree(keyed: false, leafCapacity: 4, fanout: 4)
        for _ in 0..<20 { _ = index.insertSection(at: index.sectionCount) }
        for _ in 0..<20 { index.removeSection(index.section(at: 0)) }
        for id in 0..<3 {
            _ = index.beginSection()
            index.append(id: Int64(id), key: UnsafeRawBufferPointer(start: nil, count: 0), keyHash: 0)
        }
        try index.finishBulk()
        let section = index.insertSection(at: 3)
        try index.insert(DetachedRow(id: 3, keyHash: 0), in: section, at: 0)
        #expect(index.checkInvariants().isEmpty)
        for id in 0..<4 { #expect(index.place(of: Int64(id))?.section == index.section(at: id)) }
    }

    /// Before: 100,000 rows. Change: bulk build. Expected: about 24 bytes per row.
    @Test func usesLittleMemory() throws {
        let index = ListTree(keyed: true)
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
