internal import Glibc
internal import SQLiteKit

/// One page of a database, whose parts are read with checks: a damaged page throws an
/// `Uncertainty`, and does not crash (https://www.sqlite.org/fileformat.html#b_tree_pages).
struct Page {
    let number: UInt32
    let bytes: [UInt8]

    enum TreePart: UInt8 {
        case indexInterior = 2
        case tableInterior = 5
        case indexLeaf = 10
        case tableLeaf = 13

        var isInterior: Bool { self == .indexInterior || self == .tableInterior }
        /// Whether the tree is an index, or a table WITHOUT ROWID.
        var isIndex: Bool { self == .indexInterior || self == .indexLeaf }
    }

    /// Where the page's own header begins: in the first page it follows the header of the database.
    private var start: Int { number == 1 ? 100 : 0 }

    /// nil if the page is not part of a tree.
    var kind: TreePart? { TreePart(rawValue: bytes[start]) }

    func byte(_ offset: Int) throws(Uncertainty) -> UInt8 {
        guard bytes.indices.contains(offset) else { throw .pages }
        return bytes[offset]
    }

    func short(_ offset: Int) throws(Uncertainty) -> Int {
        guard offset >= 0, offset + 2 <= bytes.count else { throw .pages }
        return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }

    func word(_ offset: Int) throws(Uncertainty) -> UInt32 {
        guard offset >= 0, offset + 4 <= bytes.count else { throw .pages }
        return UInt32(bytes[offset]) << 24 | UInt32(bytes[offset + 1]) << 16 | UInt32(bytes[offset + 2]) << 8
            | UInt32(bytes[offset + 3])
    }

    // MARK: Trees

    private var cellCount: Int { get throws(Uncertainty) { try short(start + 3) } }

    /// The bytes that contain where each cell begins.
    var cellPointers: Range<Int> {
        get throws(Uncertainty) {
            guard let kind else { throw .pages }
            let first = start + (kind.isInterior ? 12 : 8)
            let end = first + 2 * (try cellCount)
            guard end <= bytes.count else { throw .pages }
            return first..<end
        }
    }

    /// Where the cells begin.
    private var cellOffsets: [Int] {
        get throws(Uncertainty) {
            var offsets: [Int] = []
            let pointers = try cellPointers
            offsets.reserveCapacity(pointers.count / 2)
            for place in stride(from: pointers.lowerBound, to: pointers.upperBound, by: 2) {
                offsets.append(Int(bytes[place]) << 8 | Int(bytes[place + 1]))
            }
            return offsets
        }
    }

    /// The children of an interior page, in order. Throws if the page is not interior.
    func children() throws(Uncertainty) -> [UInt32] {
        guard let kind, kind.isInterior else { throw .pages }
        var children: [UInt32] = []
        for offset in try cellOffsets { children.append(try word(offset)) }
        children.append(try word(start + 8))
        return children
    }

    /// The cells of a page that contains rows: a leaf, or any page of a table WITHOUT ROWID.
    func cellPlaces(_ layout: PageLayout) throws(Uncertainty) -> [CellPlace] {
        guard let kind, kind != .tableInterior else { throw .pages }
        let offsets = try cellOffsets
        var cells = CellPlaces(bytes.count)
        cells.places.reserveCapacity(offsets.count)
        let areWhole = unsafe bytes.withUnsafeBytes { bytes in
            offsets.allSatisfy { unsafe cells.append(bytes, at: $0, kind, layout) }
        }
        guard areWhole else { throw .pages }
        return cells.places
    }

    /// The same with the page.
    func cells(_ layout: PageLayout) throws(Uncertainty) -> [Cell] {
        try cellPlaces(layout).map { Cell(page: self, place: $0) }
    }

    /// Whether a cell has the same record as one of another page, in the part that is in the pages.
    func hasSameLocal(_ place: CellPlace, as other: CellPlace, of page: Page) -> Bool {
        guard place.size == other.size, place.localSize == other.localSize else { return false }
        return unsafe bytes.withUnsafeBytes { a in
            unsafe page.bytes.withUnsafeBytes { b in
                // The local part of a cell is known to be inside its page.
                unsafe memcmp(a.baseAddress! + place.offset, b.baseAddress! + other.offset, place.localSize) == 0
            }
        }
    }
}

/// Where the record of a row is in its page.
struct CellPlace {
    /// 0 in a table WITHOUT ROWID, where the record contains the key.
    let rowid: Int64
    /// The part of the record that is in the page.
    let offset: Int
    let localSize: Int
    /// The size of the whole record.
    let size: Int
    /// The first overflow page; 0 if there is none.
    let overflow: UInt32

    /// nil if the page ends before the cell does.
    init?(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ kind: Page.TreePart, _ layout: PageLayout) {
        var at = offset + (kind.isInterior ? 4 : 0)
        guard let total = unsafe bytes.readVarint(at: &at), let size = Int(exactly: total), size >= 0,
            let rowid = unsafe kind.isIndex ? 0 : bytes.readVarint(at: &at)
        else { return nil }
        self.rowid = rowid
        localSize = layout.localSize(ofPayload: size, isIndex: kind.isIndex)
        self.offset = at
        self.size = size
        let end = at + localSize
        guard end <= bytes.count, localSize == size || end + 4 <= bytes.count else { return nil }
        overflow =
            localSize == size ? 0 : unsafe UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt32.self))
    }
}

/// The places of cells of one page. Cells do not overlap, so that all of them together are at most
/// as large as their page. On a damaged page each of thousands of cells can claim nearly all of it.
struct CellPlaces {
    var places: [CellPlace] = []
    /// How many bytes of the page no cell has.
    private var room: Int

    init(_ pageSize: Int) { room = pageSize }

    /// Appends a cell; false if the page ends before the cell does, or has no room for it beside
    /// the other cells.
    mutating func append(
        _ bytes: UnsafeRawBufferPointer, at offset: Int, _ kind: Page.TreePart, _ layout: PageLayout
    ) -> Bool {
        guard let place = unsafe CellPlace(bytes, at: offset, kind, layout) else { return false }
        room -= place.offset + place.localSize - offset
        guard room >= 0 else { return false }
        places.append(place)
        return true
    }
}

/// A row in a page: a table's row with its rowid, or a row of a table WITHOUT ROWID, whose record
/// contains its key.
struct Cell {
    let page: Page
    let place: CellPlace

    var rowid: Int64 { place.rowid }
    var size: Int { place.size }
    var localSize: Int { place.localSize }
    var overflow: UInt32 { place.overflow }
    var local: ArraySlice<UInt8> { page.bytes[place.offset..<place.offset + place.localSize] }

    func hasSameLocal(as other: Cell) -> Bool { page.hasSameLocal(place, as: other.place, of: other.page) }
}

/// The statements of a database's header about its pages.
struct PageLayout: Equatable {
    let pageSize: Int
    /// The bytes of a page that SQLite uses: a part at its end may be reserved.
    let usableSize: Int
    let isAutoVacuum: Bool
    let schemaCookie: UInt32

    /// Throws if the first page is not SQLite's, for example because it is encrypted.
    init(firstPage: Page) throws(Uncertainty) {
        guard firstPage.bytes.starts(with: Array("SQLite format 3\0".utf8)) else { throw .pages }
        let code = try firstPage.short(16)
        pageSize = code == 1 ? 65_536 : code
        usableSize = pageSize - Int(try firstPage.byte(20))
        isAutoVacuum = try firstPage.word(52) != 0
        schemaCookie = try firstPage.word(40)
        guard pageSize == firstPage.bytes.count, usableSize >= 480 else { throw .pages }
    }

    /// How many bytes of a record are in its cell
    /// (https://www.sqlite.org/fileformat.html#b_tree_pages).
    func localSize(ofPayload size: Int, isIndex: Bool) -> Int {
        let most = isIndex ? (usableSize - 12) * 64 / 255 - 23 : usableSize - 35
        if size <= most { return size }
        let least = (usableSize - 12) * 32 / 255 - 23
        let wanted = least + (size - least) % (usableSize - 4)
        return wanted <= most ? wanted : least
    }

    /// The page that contains the bytes which SQLite locks; it contains no data.
    var lockPage: UInt32 { UInt32(1_073_741_824 / pageSize + 1) }

    private var pagesPerMap: UInt32 { UInt32(usableSize / 5 + 1) }

    /// Whether a page states which pages other pages belong to
    /// (https://www.sqlite.org/fileformat.html#ptrmap).
    func isPointerMap(_ page: UInt32) -> Bool {
        guard isAutoVacuum, page > 1 else { return false }
        return pointerMap(of: page) == page
    }

    private func pointerMap(of page: UInt32) -> UInt32 {
        let map = (page - 2) / pagesPerMap * pagesPerMap + 2
        return map == lockPage ? map + 1 : map
    }

    func pointerMapCount(pageCount: UInt32) -> Int {
        guard isAutoVacuum, pageCount > 1 else { return 0 }
        return Int((pageCount - 2) / pagesPerMap + 1)
    }
}
