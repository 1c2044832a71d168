internal import SQLiteKit

/// The cells of a table's leaf, in two states of it, that may differ. A commit changes few cells of
/// most pages, and the others are not even parsed.
struct PageDifference {
    private(set) var before: [CellPlace] = []
    private(set) var after: [CellPlace] = []

    init(_ old: Page, _ new: Page, _ layout: PageLayout) throws(Uncertainty) {
        guard old.kind == .tableLeaf, new.kind == .tableLeaf, old.bytes.count == new.bytes.count else {
            before = try old.cellPlaces(layout)
            after = try new.cellPlaces(layout)
            return
        }
        let (oldPointers, newPointers) = (try old.cellPointers, try new.cellPointers)
        let areWhole = unsafe old.bytes.withUnsafeBytes { oldBytes in
            unsafe new.bytes.withUnsafeBytes { newBytes in
                let comparison = unsafe Comparison(
                    old: State(bytes: oldBytes, pointers: oldPointers),
                    new: State(bytes: newBytes, pointers: newPointers))
                guard comparison.appendPlaces(of: comparison.old, layout, to: &before) else { return false }
                return comparison.appendPlaces(of: comparison.new, layout, to: &after)
            }
        }
        guard areWhole else { throw .pages }
    }
}

extension PageDifference {
    /// One state of the page. `pointers` are the bytes that contain the places of the cells. Safe
    /// as long as the page exists, as these bytes are in it.
    @safe private struct State {
        let bytes: UnsafeRawBufferPointer
        let pointers: Range<Int>

        var count: Int { pointers.count / 2 }

        /// Where a cell begins.
        @inline(__always)
        func offset(_ index: Int) -> Int {
            unsafe Int(
                UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: pointers.lowerBound + 2 * index, as: UInt16.self))
            )
        }
    }

    /// The two states. A cell is the same in both if it is in the same place in both, among the
    /// first or among the last cells, and if its bytes are the same. Cells do not overlap. So of
    /// those that begin before the first byte that differs, only the last one can contain that
    /// byte.
    private struct Comparison {
        let old: State
        let new: State
        /// How many cells at the beginning, and at the end, are in the same places in both.
        private let first: Int
        private let last: Int
        /// From the first to the last byte that differs, outside the page's header.
        private let changed: Range<Int>
        /// Where the last such cell before them begins; -1 without such bytes, or without a cell.
        private let lastBefore: Int

        init(old: State, new: State) {
            self.old = old
            self.new = new
            let least = min(old.count, new.count)
            var (first, last) = (0, 0)
            while first < least && old.offset(first) == new.offset(first) { first += 1 }
            while last < least - first && old.offset(old.count - 1 - last) == new.offset(new.count - 1 - last) {
                last += 1
            }
            let content = max(old.pointers.upperBound, new.pointers.upperBound)
            let changed = unsafe Self.differingBytes(old.bytes, new.bytes, from: content)
            var lastBefore = -1
            if !changed.isEmpty {
                for index in 0..<old.count where index < first || index >= old.count - last {
                    let offset = old.offset(index)
                    if offset < changed.lowerBound { lastBefore = max(lastBefore, offset) }
                }
            }
            (self.first, self.last, self.changed, self.lastBefore) = (first, last, changed, lastBefore)
        }

        /// Appends the cells of one of the states that may differ; false if one is not whole.
        func appendPlaces(of state: State, _ layout: PageLayout, to places: inout [CellPlace]) -> Bool {
            for index in 0..<state.count {
                let offset = state.offset(index)
                let isMoved = index >= first && index < state.count - last
                guard isMoved || changed.contains(offset) || offset == lastBefore else { continue }
                guard let place = unsafe CellPlace(state.bytes, at: offset, .tableLeaf, layout) else { return false }
                places.append(place)
            }
            return true
        }

        /// From the first to the last byte that differs.
        private static func differingBytes(
            _ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer, from start: Int
        ) -> Range<Int> {
            var (first, end) = (start, old.count)
            while unsafe first + 8 <= end && word(old, first) == word(new, first) { first += 8 }
            while unsafe first < end && old[first] == new[first] { first += 1 }
            while unsafe end - 8 >= first && word(old, end - 8) == word(new, end - 8) { end -= 8 }
            while unsafe end > first && old[end - 1] == new[end - 1] { end -= 1 }
            return first..<end
        }

        @inline(__always)
        private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
            unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        }
    }
}
