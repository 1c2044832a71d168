import SQLiteKit
import TestSupport
import Testing

@testable import LogFollower

/// Whatever pages contain, a step ends in rows or in an uncertainty. Before something is allocated,
/// followed or repeated, the sizes, counts, chains and depths that pages claim are compared with
/// the pages that there are.
@Suite struct DamagedPageTests {
    /// Without damage the rows are known, so that the random tests damage what is followed.
    @Test func pagesOfSQLiteAreFollowed() throws {
        for seed in RandomTests.seeds(0..<60) {
            let pair = try SeedPages.pair(seed: seed)
            let result = pair.follow()
            #expect(result.uncertainty == nil, "\(RandomTests.replay(seed, "DamagedPage"))")
            #expect(PagePair(pair.bytes).bytes == pair.bytes)
        }
    }

    /// `make fuzz-pages` chooses damage by the branches that it takes, and runs as long as wanted.
    @Test func damageEndsInRowsOrInAnUncertainty() throws {
        var (known, unknown) = (0, 0)
        for seed in RandomTests.seeds(0..<60) {
            var random = SeededRandom(seed: seed)
            let bytes = try SeedPages.pair(seed: seed).bytes
            for _ in 0..<25 {
                var damaged = bytes
                SeedPages.damage(&damaged, &random)
                followFuzzedPages(damaged)
                if PagePair(damaged).follow().uncertainty == nil { known += 1 } else { unknown += 1 }
            }
        }
        #expect(known > 100 && unknown > 100)
    }

    // MARK: Pages made by hand

    private static let size = PagePair.pageSize

    /// A first page with an empty schema.
    private static func firstPage(freePages: UInt32 = 0, trunk: UInt32 = 0) -> [UInt8] {
        var page = Array("SQLite format 3\0".utf8)
        page += [2, 0, 1, 1, 0, 64, 32, 32]
        page += Array(repeating: 0, count: size - page.count)
        set(trunk, at: 32, in: &page)
        set(freePages, at: 36, in: &page)
        page[100] = 13
        return page
    }

    private static func set(_ number: UInt32, at offset: Int, in page: inout [UInt8]) {
        for index in 0..<4 { page[offset + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * index)) }
    }

    /// A page of a tree whose cells are at these places.
    private static func page(_ kind: Page.TreePart, cellsAt offsets: [Int], right: UInt32 = 0) -> [UInt8] {
        var page = [UInt8](repeating: 0, count: size)
        page[0] = kind.rawValue
        page[3] = UInt8(offsets.count >> 8)
        page[4] = UInt8(offsets.count & 255)
        if kind.isInterior { set(right, at: 8, in: &page) }
        let first = kind.isInterior ? 12 : 8
        for (index, offset) in offsets.enumerated() where first + 2 * index + 1 < size {
            page[first + 2 * index] = UInt8(offset >> 8)
            page[first + 2 * index + 1] = UInt8(offset & 255)
        }
        return page
    }

    /// A number in as many bytes as SQLite reads.
    private static func varint(_ number: UInt64, bytes count: Int) -> [UInt8] {
        if count == 9 { return (0..<8).map { UInt8(0x80 | number >> (57 - 7 * $0) & 0x7f) } + [UInt8(number & 255)] }
        return (0..<count).map { index in
            UInt8(number >> (7 * (count - 1 - index)) & 0x7f) | (index < count - 1 ? 0x80 : 0)
        }
    }

    /// How many bytes of a record that continues are in its page.
    private static func localSize(_ claimed: UInt64, _ kind: Page.TreePart) -> Int {
        let least = (size - 12) * 32 / 255 - 23
        guard let claimed = Int(exactly: claimed) else { return least }
        let most = kind == .tableLeaf ? size - 35 : (size - 12) * 64 / 255 - 23
        let wanted = least + (claimed - least) % (size - 4)
        return wanted <= most ? wanted : least
    }

    /// A leaf with one row, whose record claims a size and continues in a page.
    private static func leaf(_ kind: Page.TreePart, claiming claimed: UInt64, overflow: UInt32, fill: UInt8) -> [UInt8]
    {
        var page = page(kind, cellsAt: [20])
        let head = varint(claimed, bytes: 9) + (kind == .tableLeaf ? [7] : [])
        let record = Array(repeating: fill, count: localSize(claimed, kind))
        page.replaceSubrange(20..<20 + head.count + record.count, with: head + record)
        // A table's page has room for the pointer only if the record really continues.
        if 24 + head.count + record.count <= size { set(overflow, at: 20 + head.count + record.count, in: &page) }
        return page
    }

    /// An overflow page.
    private static func overflow(next: UInt32, fill: UInt8 = 1) -> [UInt8] {
        var page = [UInt8](repeating: fill, count: size)
        set(next, at: 0, in: &page)
        return page
    }

    /// Follows from `pages`, whose second one is the root of a table, to a state in which some were
    /// written.
    private static func follow(_ pages: [[UInt8]], writing written: [(page: UInt32, bytes: [UInt8])]) -> PagePair.Result
    {
        let pair = PagePair([firstPage()] + pages, roots: [2], written: written)
        let result = pair.follow()
        #expect(result.reads <= pair.mostReads)
        #expect(result.byteCount <= pair.mostBytes)
        return result
    }

    // MARK: Records

    /// No database of a few pages has records of these sizes.
    private static let sizes: [UInt64] = [
        1 << 20, 1 << 31 - 1, 1 << 31, 1 << 32 - 1, 1 << 32, 1 << 32 + 600, 1 << 55 + 700, 1 << 62, 1 << 63 - 1,
        1 << 63,
        .max,
    ]

    /// The chain ends, names itself, or has two pages that name each other.
    @Test(arguments: [Page.TreePart.tableLeaf, .indexLeaf], sizes)
    func aSizeThatTheFileCanNotHaveIsUncertain(kind: Page.TreePart, claimed: UInt64) {
        for chain in [[UInt32(0)], [3], [4, 3]] {
            let overflows = chain.map { Self.overflow(next: $0) }
            let old = Self.leaf(kind, claiming: claimed, overflow: 3, fill: 1)
            let new = Self.leaf(kind, claiming: claimed, overflow: 3, fill: 2)
            let result = Self.follow([old] + overflows, writing: [(2, new)])
            #expect(result.uncertainty == .pages)
            #expect(result.reads < 20)
        }
    }

    /// At the limit: as many pages as there are, and one more.
    @Test(arguments: [Page.TreePart.tableLeaf, .indexLeaf]) func aRecordMayTakeAllPagesThatThereAre(kind: Page.TreePart)
    {
        let least = UInt64((512 - 12) * 32 / 255 - 23)
        for (pages, isKnown) in [(3, true), (4, false)] {
            let size = least + UInt64(pages) * 508
            let chain = [4, 5, 0].map { Self.overflow(next: UInt32($0)) }
            let old = Self.leaf(kind, claiming: size, overflow: 3, fill: 1)
            let new = Self.leaf(kind, claiming: size, overflow: 3, fill: 2)
            let result = Self.follow([old] + chain, writing: [(2, new)])
            #expect((result.uncertainty == nil) == isKnown)
            #expect(result.rows.isEmpty != isKnown)
        }
    }

    /// Each of many rows, on two pages, claims the same chain of pages.
    @Test func chainsThatMeetAreNotFollowedForEachRow() {
        let (pages, least) = (40, (Self.size - 12) * 32 / 255 - 23)
        func leaf(from rowid: UInt8, fill: UInt8) -> [UInt8] {
            var leaf = Self.page(.tableLeaf, cellsAt: (0..<8).map { 40 + 55 * $0 })
            for row in 0..<8 {
                let start = 40 + 55 * row
                let head = Self.varint(UInt64(least + pages * 508), bytes: 3) + [rowid + UInt8(row)]
                let cell = head + Array(repeating: fill, count: least)
                leaf.replaceSubrange(start..<start + cell.count, with: cell)
                Self.set(5, at: start + cell.count, in: &leaf)
            }
            return leaf
        }
        var interior = Self.page(.tableInterior, cellsAt: [500], right: 4)
        Self.set(3, at: 500, in: &interior)
        let chain = (0..<pages).map { Self.overflow(next: $0 == pages - 1 ? 0 : UInt32(6 + $0)) }
        let result = Self.follow(
            [interior, leaf(from: 1, fill: 1), leaf(from: 9, fill: 1)] + chain,
            writing: [(3, leaf(from: 1, fill: 2)), (4, leaf(from: 9, fill: 2))])
        #expect(result.uncertainty == .pages)
    }

    /// All cells of a page are in the same place, so that each of them has much of the page.
    @Test(arguments: [Page.TreePart.tableLeaf, .indexLeaf]) func cellsThatOverlapAreUncertain(kind: Page.TreePart) {
        let one = Self.page(kind, cellsAt: [508])
        var many = Self.page(kind, cellsAt: Array(repeating: 300, count: 100))
        many.replaceSubrange(300..<303, with: [0x81, 0x00, 7])
        #expect(Self.follow([one], writing: [(2, many)]).uncertainty == .pages)
        #expect(Self.follow([many], writing: [(2, one)]).uncertainty == .pages)
    }

    @Test(arguments: [0, 1, 99, 509, 511, 512, 65_535]) func aCellOutsideOfThePageIsUncertain(offset: Int) {
        for kind in [Page.TreePart.tableLeaf, .indexLeaf] {
            let old = Self.page(kind, cellsAt: [])
            var new = Self.page(kind, cellsAt: [offset])
            if offset < 512 { new.replaceSubrange(offset..<512, with: Array(repeating: 0xff, count: 512 - offset)) }
            if new[0] == 0xff { continue }
            #expect(Self.follow([old], writing: [(2, new)]).uncertainty == .pages)
        }
    }

    @Test func moreCellsThanThePageHasRoomForAreUncertain() {
        for count in [253, 1000, 65_535] {
            let new = Self.page(.tableLeaf, cellsAt: Array(repeating: 500, count: count))
            #expect(Self.follow([Self.page(.tableLeaf, cellsAt: [])], writing: [(2, new)]).uncertainty == .pages)
        }
    }

    // MARK: Trees

    /// The page itself, its parent, another tree's page, and pages that do not exist.
    @Test(arguments: [0, 1, 2, 3, 1000, 1 << 31, .max] as [UInt32]) func aChildThatCanNotBeOneIsUncertain(child: UInt32)
    {
        let leaf = Self.page(.tableLeaf, cellsAt: [])
        let interior = Self.page(.tableInterior, cellsAt: [], right: 4)
        var cell = Self.page(.tableInterior, cellsAt: [500], right: child)
        Self.set(4, at: 500, in: &cell)
        // At first, and from one state to the next.
        #expect(
            Self.follow([Self.page(.tableInterior, cellsAt: [], right: 3), cell, leaf], writing: []).uncertainty
                == .pages)
        let result = Self.follow(
            [Self.page(.tableInterior, cellsAt: [], right: 3), interior, leaf, leaf], writing: [(3, cell)])
        #expect(result.reads < 40)
        if child != 3 && child != 2 && child != 1 { #expect(result.uncertainty == .pages) }
    }

    /// SQLite reads no tree of more than 20 levels.
    @Test func aTreeThatIsTooDeepIsUncertain() {
        for (levels, isKnown) in [(20, true), (21, false), (44, false)] {
            let pages = (0..<levels).map { level in
                level == levels - 1
                    ? Self.page(.tableLeaf, cellsAt: [])
                    : Self.page(.tableInterior, cellsAt: [], right: UInt32(level + 3))
            }
            #expect((Self.follow(pages, writing: []).uncertainty == nil) == isKnown)
        }
    }

    /// The rows of a page that leaves both states, or was in neither, have no owner.
    @Test func pagesOfNoStateAreNotFollowed() {
        let leaf = Self.page(.tableLeaf, cellsAt: [])
        let interior = Self.page(.tableInterior, cellsAt: [], right: 3)
        for page in [UInt32(9), 100, 1 << 31, .max] {
            #expect(Self.follow([interior, leaf], writing: [(page, leaf), (2, interior)]).uncertainty == nil)
        }
    }

    /// The old page is no longer the one that the map of pages was made of, as someone has
    /// overwritten the file.
    @Test func childrenThatTheMapDoesNotHaveAreUncertainOrIgnored() throws {
        let leaf = Self.page(.tableLeaf, cellsAt: [])
        for child in [UInt32(4), 60, 1 << 31, .max] {
            let files = ChangingFiles([
                Self.firstPage(), Self.page(.tableInterior, cellsAt: [], right: 3), leaf, leaf,
            ])
            let old = OldPages(files, frames: FrameMap(), pageSize: 512, pageCount: 4)
            var map = try DatabaseMap([(ExactText("sqlite_schema"), 1), (ExactText("t"), 2)], in: old)
            files.pages[1] = Self.page(.tableInterior, cellsAt: [], right: child)
            files.frames = [Self.page(.tableInterior, cellsAt: [], right: 3)]
            let damaged = OldPages(files, frames: FrameMap(), pageSize: 512, pageCount: 4)
            let next = NewPages(files, over: damaged, frames: [2: 1], pageSize: 512, pageCount: 4)
            // Rows or an uncertainty: it does not end the process.
            _ = try? map.advance(to: next, [ExactText("t")])
        }
    }

    private final class ChangingFiles: PageFiles {
        var pages: [[UInt8]]
        var frames: [[UInt8]] = []

        init(_ pages: [[UInt8]]) { self.pages = pages }

        func page(_ number: UInt32, size: Int) throws(Uncertainty) -> [UInt8] { pages[Int(number) - 1] }
        func page(inFrame frame: UInt32, size: Int) throws(Uncertainty) -> [UInt8] { frames[Int(frame) - 1] }
    }

    // MARK: Free pages

    /// A list of free pages that names itself, and one that claims more than its pages have room
    /// for.
    @Test func aListOfFreePagesWithoutEndEnds() {
        for (trunk, count) in [(UInt32(3), UInt32(0)), (3, 1000), (3, .max)] {
            var free = [UInt8](repeating: 0, count: Self.size)
            Self.set(trunk, at: 0, in: &free)
            Self.set(count, at: 4, in: &free)
            let pair = PagePair(
                [Self.firstPage(freePages: 1, trunk: 3), Self.page(.tableLeaf, cellsAt: []), free, free], roots: [2],
                written: [(4, free)])
            #expect(pair.follow().reads < 40)
        }
    }
}
