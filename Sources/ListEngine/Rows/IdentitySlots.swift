internal import SQLiteKit

/// The identities that have ids: pages of slots, each with the hash of its key and the place of the
/// packed identity among the page's bytes.
///
/// An id is the number of its slot with the slot's generation above it. The generation grows
/// whenever the slot becomes free, so that no id is assigned twice. Slots are used again only if
/// many are free, as ids that are close together take less memory elsewhere; a page without
/// identities is released.
final class IdentitySlots {
    private static let pageSize = 256
    private static let greatestGeneration = UInt32(Int32.max)
    /// By number; nil for pages that were released.
    private var pages: [IdentityPage?] = []
    /// The number of the page that slots are taken from.
    private var current = 0
    /// Numbers of other pages with free slots, and of pages that were released.
    private var withFree: [Int] = []
    private var released: [Int] = []
    /// Greater than all generations of the pages that were released.
    private var nextGeneration: UInt32 = 0
    private(set) var count = 0

    var bytesHeld: Int {
        pages.reduce((pages.count + withFree.capacity + released.capacity) * 8) { $0 + ($1?.bytesHeld ?? 0) }
    }

    // MARK: Ids

    func id(_ slot: UInt32) -> Int64 { Int64(self[slot].generation) << 32 | Int64(slot) + 1 }

    /// The slot of an id that was assigned and not released.
    func slot(of id: Int64) -> UInt32? {
        let low = UInt32(truncatingIfNeeded: id)
        guard id > 0, low > 0, Int(low - 1) / Self.pageSize < pages.count else { return nil }
        let slot = self[low - 1]
        return !slot.isFree && Int64(slot.generation) == id >> 32 ? low - 1 : nil
    }

    func hash(_ slot: UInt32) -> UInt32 { self[slot].hash }

    func identity(_ slot: UInt32) -> RowValues {
        guard let packed = unsafe packed(slot) else { return RowValues([]) }
        return unsafe packed.values
    }

    /// The identity as it is stored, valid until the next change; nil if the slot is free.
    func packed(_ slot: UInt32) -> PackedIdentity? {
        unsafe pages[Int(slot) / Self.pageSize]?.identity(inSlot: Int(slot) % Self.pageSize)
    }

    /// Whether a slot has the identity that is packed in the same bytes.
    func contains(_ packed: UnsafeRawBufferPointer, at slot: UInt32) -> Bool {
        unsafe pages[Int(slot) / Self.pageSize]?.contains(packed, inSlot: Int(slot) % Self.pageSize) ?? false
    }

    func forEach(_ body: (UInt32) -> Void) {
        forEachHash { slot, _ in body(slot) }
    }

    /// Calls `body` with each slot that has an identity, and the hash of its key.
    func forEachHash(_ body: (UInt32, UInt32) -> Void) {
        for (number, page) in pages.enumerated() {
            guard let page else { continue }
            for index in 0..<Self.pageSize where unsafe !page.slots[index].isFree {
                unsafe body(UInt32(number * Self.pageSize + index), page.slots[index].hash)
            }
        }
    }

    private subscript(slot: UInt32) -> IdentityPage.IdentitySlot {
        unsafe pages[Int(slot) / Self.pageSize]?.slots[Int(slot) % Self.pageSize]
            ?? IdentityPage.IdentitySlot(generation: 0)
    }

    // MARK: Adding

    /// Stores a packed identity.
    func add(_ packed: UnsafeRawBufferPointer, hash: UInt32) -> UInt32 {
        let slot = freeSlot()
        unsafe fill(slot, packed, hash: hash, generation: self[slot].generation)
        return slot
    }

    /// Stores the same identity in another spelling.
    func replace(_ slot: UInt32, by packed: UnsafeRawBufferPointer) {
        let (old, hash) = (self[slot].generation, self[slot].hash)
        unsafe pages[Int(slot) / Self.pageSize]?
            .replace(Int(slot) % Self.pageSize, by: packed, hash: hash, generation: old)
    }

    /// Gives an identity the slot of an id; nil if it is in use, or so far away that no list of so
    /// many rows has it.
    func restore(_ id: Int64, _ identity: RowValues, isRowid: Bool, hash: UInt32, rowCount: Int) -> UInt32? {
        let low = Int(UInt32(truncatingIfNeeded: id))
        let greatest = max(1 << 20, rowCount.multipliedReportingOverflow(by: 64).partialValue)
        guard id > 0, (1...greatest).contains(low), id >> 32 < Int64(Self.greatestGeneration) else { return nil }
        let slot = UInt32(low - 1)
        let number = Int(slot) / Self.pageSize
        while pages.count <= number { pages.append(nil) }
        current = pages.count
        if pages[number] == nil {
            pages[number] = IdentityPage(Self.pageSize, generation: 0)
            list(number)
        }
        guard self[slot].isFree else { return nil }
        var packed: [UInt8] = []
        identity.packIdentity(isRowid: isRowid, into: &packed)
        unsafe packed.withUnsafeBytes { unsafe fill(slot, $0, hash: hash, generation: UInt32(id >> 32)) }
        return slot
    }

    private func fill(_ slot: UInt32, _ packed: UnsafeRawBufferPointer, hash: UInt32, generation: UInt32) {
        unsafe pages[Int(slot) / Self.pageSize]?
            .fill(Int(slot) % Self.pageSize, packed, hash: hash, generation: generation)
        count += 1
    }

    private func freeSlot() -> UInt32 {
        while true {
            if current < pages.count, let page = pages[current] {
                while page.cursor < Self.pageSize, page.hasRoom {
                    defer { page.cursor += 1 }
                    let slot = unsafe page.slots[page.cursor]
                    if slot.isFree, slot.generation < Self.greatestGeneration {
                        return UInt32(current * Self.pageSize + page.cursor)
                    }
                }
                page.compact()
                list(current)
            }
            selectPage()
        }
    }

    private func selectPage() {
        if pages.count * Self.pageSize - count > count / 4 + 2 * Self.pageSize {
            while let number = withFree.popLast() {
                guard let page = pages[number] else { continue }
                page.isListed = false
                page.cursor = 0
                current = number
                return
            }
            if nextGeneration < Self.greatestGeneration, let number = released.popLast() {
                pages[number] = IdentityPage(Self.pageSize, generation: nextGeneration)
                current = number
                return
            }
        }
        current = pages.count
        pages.append(IdentityPage(Self.pageSize, generation: 0))
    }

    /// Notes that a page has free slots, if it has.
    private func list(_ number: Int) {
        guard let page = pages[number], !page.isListed, page.count + page.retired < Self.pageSize, page.hasRoom else {
            return
        }
        page.isListed = true
        withFree.append(number)
    }

    // MARK: Removing

    func remove(_ slot: UInt32) {
        let number = Int(slot) / Self.pageSize
        guard let page = pages[number], !self[slot].isFree else { return }
        let generation = self[slot].generation + 1
        page.free(Int(slot) % Self.pageSize, generation: generation)
        if generation == Self.greatestGeneration { page.retired += 1 }
        count -= 1
        if number == current { return }
        if page.count > 0 { return list(number) }
        for index in 0..<Self.pageSize { nextGeneration = unsafe max(nextGeneration, page.slots[index].generation) }
        pages[number] = nil
        released.append(number)
    }
}
