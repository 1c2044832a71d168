internal import Glibc
internal import SQLiteKit

extension Page {
    /// The cells of a table's leaf, as it is here and in another state, that may differ. A commit
    /// changes few cells of most pages, and the other cells are not even parsed.
    func cellsThatDiffer(
        in new: Page, _ layout: PageLayout
    ) throws(Uncertainty) -> (before: [CellPlace], after: [CellPlace]) {
        guard kind == .tableLeaf, new.kind == .tableLeaf, bytes.count == new.bytes.count else {
            return (try cellPlaces(layout), try new.cellPlaces(layout))
        }
        let (oldPointers, newPointers) = (try cellPointers, try new.cellPointers)
        var (before, after) = (CellPlaces(bytes.count), CellPlaces(new.bytes.count))
        let areWhole = unsafe bytes.withUnsafeBytes { oldBytes in
            unsafe new.bytes.withUnsafeBytes { newBytes in
                let difference = unsafe PageDifference(
                    LeafBytes(bytes: oldBytes, pointers: oldPointers),
                    LeafBytes(bytes: newBytes, pointers: newPointers))
                return difference.append(layout, &before, &after)
            }
        }
        guard areWhole else { throw .pages }
        return (before.places, after.places)
    }
}

/// The bytes of a leaf. `pointers` are the bytes that contain the places of the cells. Safe
/// as long as the page exists, as these bytes are in it.
@safe private struct LeafBytes {
    let bytes: UnsafeRawBufferPointer
    let pointers: Range<Int>

    var count: Int { pointers.count / 2 }

    /// Where a cell begins. The bytes are in the page, as the number is less than `count`.
    @inline(__always)
    func offset(_ index: Int) -> Int {
        assert(index >= 0 && index < count)
        guard let start = unsafe bytes.baseAddress else { return 0 }
        let bits = unsafe start.loadUnaligned(fromByteOffset: pointers.lowerBound &+ 2 &* index, as: UInt16.self)
        return Int(UInt16(bigEndian: bits))
    }

    /// Appends a cell; false if it is not whole.
    func append(_ index: Int, _ layout: PageLayout, to places: inout CellPlaces) -> Bool {
        unsafe places.append(bytes, at: offset(index), .tableLeaf, layout)
    }
}

/// The two states of a leaf. A cell is the same in both if it is in the same place in both, among
/// the first or among the last cells, and if its bytes are the same. Cells do not overlap. So
/// only the last cell that begins before the first different byte can contain that
/// byte.
private struct PageDifference {
    private let old: LeafBytes
    private let new: LeafBytes
    /// How many cells at the beginning, and at the end, are in the same places in both.
    private let first: Int
    private let last: Int
    /// The old numbers of the ones that may differ, in order.
    private var unmoved: [Int] = []

    init(_ old: LeafBytes, _ new: LeafBytes) {
        self.old = old
        self.new = new
        let least = min(old.count, new.count)
        var (first, last) = (0, 0)
        while first < least && old.offset(first) == new.offset(first) { first += 1 }
        while last < least - first && old.offset(old.count - 1 - last) == new.offset(new.count - 1 - last) {
            last += 1
        }
        (self.first, self.last) = (first, last)
        // From the first to the last byte that differs, behind the page's header.
        let content = max(old.pointers.upperBound, new.pointers.upperBound)
        let changed = unsafe Self.differingBytes(old.bytes, new.bytes, from: content)
        if changed.isEmpty { return }
        var lastBefore: (index: Int, offset: Int)?
        func examine(_ indexes: Range<Int>) {
            for index in indexes {
                let offset = old.offset(index)
                if offset >= changed.upperBound { continue }
                if offset >= changed.lowerBound {
                    unmoved.append(index)
                } else if offset >= lastBefore?.offset ?? 0 {
                    lastBefore = (index, offset)
                }
            }
        }
        examine(0..<first)
        examine(old.count - last..<old.count)
        if let lastBefore {
            unmoved.append(lastBefore.index)
            unmoved.sort()
        }
    }

    /// Appends the cells that may differ; false if one is not whole.
    func append(_ layout: PageLayout, _ before: inout CellPlaces, _ after: inout CellPlaces) -> Bool {
        let middle = unmoved.firstIndex { $0 >= first } ?? unmoved.count
        return append(unmoved[..<middle], layout, &before, &after)
            && (first..<old.count - last).allSatisfy { old.append($0, layout, to: &before) }
            && (first..<new.count - last).allSatisfy { new.append($0, layout, to: &after) }
            && append(unmoved[middle...], layout, &before, &after)
    }

    private func append(
        _ unmoved: ArraySlice<Int>, _ layout: PageLayout, _ before: inout CellPlaces, _ after: inout CellPlaces
    ) -> Bool {
        for index in unmoved {
            guard old.append(index, layout, to: &before),
                new.append(index < first ? index : index - old.count + new.count, layout, to: &after)
            else { return false }
        }
        return true
    }

    /// From the first to the last byte that differs, of pages of the same size.
    private static func differingBytes(
        _ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer, from start: Int
    ) -> Range<Int> {
        guard let a = old.baseAddress, let b = new.baseAddress else { return start..<start }
        let block = 256
        var (first, end) = (start, old.count)
        while unsafe first + block <= end && memcmp(a + first, b + first, block) == 0 { first += block }
        while unsafe first + 8 <= end && word(a, first) == word(b, first) { first += 8 }
        while unsafe first < end && old[first] == new[first] { first += 1 }
        while unsafe end - block >= first && memcmp(a + end - block, b + end - block, block) == 0 { end -= block }
        while unsafe end - 8 >= first && word(a, end - 8) == word(b, end - 8) { end -= 8 }
        while unsafe end > first && old[end - 1] == new[end - 1] { end -= 1 }
        return first..<end
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
}
