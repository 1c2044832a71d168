package import SQLiteKit

/// The row ids by which a list identifies its rows: the rowid itself where that is the identity,
/// else numbers assigned here, one per identity. Identities that are equal, as their columns'
/// collations compare, are one.
///
/// An identity is released when its row has left the list. An object that refers to rows by their
/// ids after that is an `IdentityHolder`, and copies the identities that it needs before; the
/// number itself is never assigned again.
package final class Identities {
    package struct Identity {
        package let values: RowValues
        /// Whether a declared key holds NULL, so that the rowid replaces it.
        package let isRowid: Bool

        package init(values: RowValues, isRowid: Bool) {
            self.values = values
            self.isRowid = isRowid
        }
    }

    /// Whether all ids are rowids, and none are assigned.
    package let areRowids: Bool
    private let components: [KeyComponent]
    private let slots = IdentitySlots()
    private let table = IdentityTable()
    private var encoder = KeyEncoder()
    /// Identities of rows that no list has any more, but that a change set will report.
    private var outside: [Int64: RowValues] = [:]
    private var nextOutside = Int64.min
    /// Ids whose rows may not be in the list; nil as long as the list is being read.
    private var unsettled: [Int64]?
    private var holders: [WeakHolder] = []

    private struct WeakHolder {
        weak var holder: (any IdentityHolder)?
    }

    package init(_ compiled: CompiledRequest) {
        areRowids = compiled.entity.isIdentityRowid
        components = compiled.identity
    }

    /// How many identities are known.
    var count: Int { slots.count }

    /// The memory of all identities.
    var bytesHeld: Int { slots.bytesHeld + table.bytesHeld }

    /// The id of an identity, known or new.
    func id(_ key: UnsafeRawBufferPointer, _ identity: @autoclosure () -> Identity) -> Int64 {
        let hash = unsafe IdentityTable.hash(key)
        if let slot = table.find(hash, slots, { unsafe matches($0, key) }) { return slots.id(slot) }
        let slot = slots.add(identity(), hash: hash)
        table.insert(slot, hash, slots)
        let id = slots.id(slot)
        unsettled?.append(id)
        return id
    }

    /// The id of an identity if it is known.
    func id(_ key: UnsafeRawBufferPointer) -> Int64? {
        unsafe table.find(IdentityTable.hash(key), slots) { unsafe matches($0, key) }.map(slots.id)
    }

    private func matches(_ slot: UInt32, _ key: UnsafeRawBufferPointer) -> Bool {
        encode(slots.identity(slot))
        return unsafe encoder.bytes.elementsEqual(key)
    }

    private func encode(_ identity: Identity) {
        encoder.removeAll()
        if identity.isRowid { return encoder.append(standInRowid: identity.values.integer(0)) }
        for index in 0..<identity.values.count { encoder.append(identity.values, index, components[index]) }
    }

    /// The identity of an id that was assigned; nil for rowids, and for ids that were released.
    func identity(of id: Int64) -> Identity? { slots.slot(of: id).map(slots.identity) }

    /// The values of a row's identity; none if it was released.
    func values(_ id: Int64) -> RowValues { key(id) ?? RowValues([.integer(id)]) }

    /// The same, but nil where the rowid is the identity.
    func key(_ id: Int64) -> RowValues? {
        if let values = outside.isEmpty ? nil : outside[id] { return values }
        return areRowids ? nil : identity(of: id)?.values ?? RowValues([])
    }

    /// Calls `body` with all ids and their identities.
    package func forEach(_ body: (Int64, Identity) -> Void) {
        slots.forEach { body(slots.id($0), slots.identity($0)) }
    }

    /// Gives an identity the id that it had in an earlier process; false if one of the two is in
    /// use, or no list of so many rows has such an id.
    package func restore(_ id: Int64, _ identity: Identity, rowCount: Int) -> Bool {
        let count = identity.values.count
        guard identity.isRowid ? count == 1 : count <= components.count else { return false }
        encode(identity)
        let key = encoder.copy()
        let hash = unsafe key.withUnsafeBytes(IdentityTable.hash)
        guard unsafe key.withUnsafeBytes({ unsafe self.id($0) }) == nil,
            let slot = slots.restore(id, identity, hash: hash, rowCount: rowCount)
        else { return false }
        table.insert(slot, hash, slots)
        return true
    }

    /// An id that no row of a list has, for an identity that is stored until the next release.
    func newID(outsideLists values: RowValues) -> Int64 {
        defer { nextOutside += 1 }
        outside[nextOutside] = values
        return nextOutside
    }
}

// MARK: Releasing

/// An object that refers to rows by their ids even if these have left the list.
protocol IdentityHolder: AnyObject {
    /// Called before an identity is released.
    func willRelease(_ id: Int64, _ identity: RowValues)
}

extension Identities {
    /// Calls a holder from now on as long as it lives.
    func addHolder(_ holder: any IdentityHolder) {
        if areRowids && outside.isEmpty { return }
        holders.removeAll { $0.holder == nil }
        holders.append(WeakHolder(holder: holder))
    }

    /// Notes that all ids assigned so far are those of rows in the list, and that others are to be
    /// noted.
    func settle() { unsettled = [] }

    /// Notes ids of rows that may not be in the list.
    func noteUnsettled<Value>(_ rows: RowTable<Value>) {
        if !areRowids { unsettled?.append(contentsOf: rows.ids) }
    }

    /// Releases those of these identities, and of those that were noted, that are of no row in the
    /// list.
    func release(_ ids: [Int64], unless isInList: (Int64) -> Bool) {
        for id in ids + (unsettled ?? []) where !isInList(id) { release(id) }
        settle()
        for (id, values) in outside where !isInList(id) {
            updateHolders(id, values)
            outside[id] = nil
        }
    }

    /// Releases the identities of all rows that are not in the list. O(n).
    func releaseAll(unless isInList: (Int64) -> Bool) {
        var ids: [Int64] = []
        slots.forEach { if !isInList(slots.id($0)) { ids.append(slots.id($0)) } }
        for id in ids { release(id) }
    }

    private func release(_ id: Int64) {
        guard let slot = slots.slot(of: id) else { return }
        if !holders.isEmpty { updateHolders(id, slots.identity(slot).values) }
        table.remove(slot, slots.hash(slot), slots)
        slots.remove(slot)
    }

    private func updateHolders(_ id: Int64, _ values: RowValues) {
        for holder in holders { holder.holder?.willRelease(id, values) }
    }
}

extension RowLookup {
    /// The statement for a row id of the list, its parameters set; nil for one that is not known.
    func statement(for id: Int64, _ identities: Identities) throws(StoreError) -> Statement? {
        if identities.areRowids {
            try byRowid?.bind(id, at: 1)
            return byRowid
        }
        guard let identity = identities.identity(of: id) else { return nil }
        if identity.isRowid {
            try byRowid?.bind(identity.values, 0, at: 1)
            return byRowid
        }
        for index in 0..<identity.values.count {
            try byIdentity?.bind(identity.values, index, at: firstParameter + index)
        }
        return byIdentity
    }
}
