internal import SQLiteKit

/// The identities that have ids, and the objects that refer to them.
final class AssignedIdentities {
    let slots = IdentitySlots()
    private let slotTable = IdentityTable()
    /// Whether the table has all slots.
    private var isIndexed = true
    /// The table, with all slots.
    var table: IdentityTable {
        if !isIndexed { _ = index { _, _ in false } }
        return slotTable
    }
    var encoder = KeyEncoder()
    /// The identity that was read last, perhaps to be stored.
    var packed: [UInt8] = []
    /// The spellings that differ in the state that is being prepared: 'A' and 'a' under NOCASE,
    /// or 1 and 1.0, are the same identity.
    private var respelled: [Int64: [UInt8]] = [:]
    /// The identity that was found last: the identity of a touched row is often searched twice, by
    /// its image and in the row that is read again.
    var last = FoundIdentity()
    /// Identities of rows that no list has any more, but that a change set will report.
    private(set) var outside: [Int64: RowValues] = [:]
    private var nextOutside = Int64.min
    /// Ids whose rows may not be in the list; nil as long as the list is being read.
    var unsettled: [Int64]?
    private var holders: [WeakHolder] = []

    private struct WeakHolder {
        weak var holder: (any IdentityHolder)?
    }

    /// Adds a packed identity, and returns its id.
    func add(_ packed: UnsafeRawBufferPointer, _ hash: UInt32) -> Int64 {
        let table = table
        let slot = unsafe slots.add(packed, hash: hash)
        table.insert(slot, hash, slots)
        return noted(slot)
    }

    /// The same, but `index`, or the next search, puts it into the table.
    func addUnindexed(_ packed: UnsafeRawBufferPointer, _ hash: UInt32) -> Int64 {
        isIndexed = false
        return noted(unsafe slots.add(packed, hash: hash))
    }

    private func noted(_ slot: UInt32) -> Int64 {
        let id = slots.id(slot)
        unsettled?.append(id)
        return id
    }

    /// Adds to the table what it lacks. Returns a slot whose identity another one has, as `isSame`
    /// determines.
    func index(isSame: (UInt32, UInt32) -> Bool) -> UInt32? {
        if isIndexed { return nil }
        isIndexed = true
        return slotTable.fill(slots, isSame)
    }

    /// Notes how the next state spells the identity of a slot, which was packed.
    func noteSpelling(ofSlot slot: UInt32) { unsafe packed.withUnsafeBytes { unsafe noteSpelling(ofSlot: slot, $0) } }

    func noteSpelling(ofSlot slot: UInt32, _ packed: UnsafeRawBufferPointer) {
        let isSame = unsafe slots.contains(packed, at: slot)
        if !isSame || !respelled.isEmpty { respelled[slots.id(slot)] = isSame ? nil : unsafe [UInt8](packed) }
    }

    /// Discards what a state that is not shown spells differently.
    func dropSpellings() { if !respelled.isEmpty { respelled.removeAll() } }

    /// Takes the spellings of the state that is shown now.
    func respell() {
        for (id, packed) in respelled {
            guard let slot = slots.slot(of: id) else { continue }
            if !holders.isEmpty {
                let old = slots.identity(slot)
                for holder in holders { holder.holder?.willRespell(id, old) }
            }
            unsafe packed.withUnsafeBytes { unsafe slots.replace(slot, by: $0) }
        }
        dropSpellings()
    }

    func outside(_ id: Int64) -> RowValues? { outside.isEmpty ? nil : outside[id] }

    func addOutside(_ values: RowValues) -> Int64 {
        defer { nextOutside += 1 }
        outside[nextOutside] = values
        return nextOutside
    }

    func add(_ holder: any IdentityHolder) {
        holders.removeAll { $0.holder == nil }
        holders.append(WeakHolder(holder: holder))
    }

    func release(_ ids: [Int64], unless isInList: (Int64) -> Bool) {
        for id in ids where !isInList(id) { release(id) }
        for id in unsettled ?? [] where !isInList(id) { release(id) }
        for (id, values) in outside where !isInList(id) {
            updateHolders(id, values)
            outside[id] = nil
        }
    }

    func settle() {
        // Most rounds touch few rows, which need no new memory each time.
        if (unsettled?.capacity ?? .max) > 64 { unsettled = [] } else { unsettled?.removeAll(keepingCapacity: true) }
    }

    func releaseAll(unless isInList: (Int64) -> Bool) {
        var ids: [Int64] = []
        slots.forEach { if !isInList(slots.id($0)) { ids.append(slots.id($0)) } }
        for id in ids { release(id) }
    }

    private func release(_ id: Int64) {
        guard let slot = slots.slot(of: id) else { return }
        if !holders.isEmpty { updateHolders(id, slots.identity(slot)) }
        last.forget(id)
        let hash = slots.hash(slot)
        slots.remove(slot)
        table.remove(slot, hash, slots)
    }

    private func updateHolders(_ id: Int64, _ values: RowValues) {
        for holder in holders { holder.holder?.willRelease(id, values) }
    }
}
