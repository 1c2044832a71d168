package import SQLiteKit

/// The row ids by which a list identifies its rows: the rowid itself where that is the identity,
/// else numbers assigned here, one per identity. Identities that are equal, as their columns'
/// collations compare, are one.
///
/// An identity is released when its row has left the list. An object that refers to rows by their
/// ids after that is an `IdentityHolder`, and copies the identities that it needs before; the
/// number itself is never assigned again.
package final class Identities {
    /// Whether all ids are rowids, and none are assigned.
    package let areRowids: Bool
    private let components: [KeyComponent]
    /// How many columns the key has that is declared or named by the request.
    private let keyCount: Int
    /// The memory in which the lists that have these identities encode one key after another. A key
    /// is valid until the next one.
    var encoder = KeyEncoder()
    /// nil before the first identity: lists of rowids have none.
    private(set) var assigned: AssignedIdentities?

    init(_ plan: RequestPlan) {
        areRowids = plan.entity.isIdentityRowid
        components = plan.identity.components
        keyCount = plan.entity.identityColumns.count
    }

    /// The identities of a new list. Lists of rowids share them, as they have none.
    package static func of(_ compiled: CompiledRequest) -> Identities {
        if let known = compiled.plan.shared as? Identities { return known }
        let identities = Identities(compiled.plan)
        if identities.areRowids { compiled.plan.shared = identities }
        return identities
    }

    /// The assigned identities, made where they are first needed.
    func needed() -> AssignedIdentities {
        if let assigned { return assigned }
        let new = AssignedIdentities()
        assigned = new
        return new
    }

    /// Whether nothing can refer to any of these ids, as none was ever assigned.
    var areUnused: Bool { assigned == nil }

    /// How many identities are known.
    var count: Int { assigned?.slots.count ?? 0 }

    /// The memory of all identities.
    var bytesHeld: Int { assigned.map { $0.slots.bytesHeld + $0.table.bytesHeld } ?? 0 }

    /// The id of an identity of the next state, known or new. `pack` appends it as a
    /// `PackedIdentity`.
    func id(_ key: UnsafeRawBufferPointer, _ pack: (inout [UInt8]) -> Void) -> Int64 {
        let assigned = needed()
        assigned.packed.removeAll(keepingCapacity: true)
        pack(&assigned.packed)
        if let id = unsafe assigned.last.id(of: key), let slot = assigned.slots.slot(of: id) {
            assigned.noteSpelling(ofSlot: slot)
            return id
        }
        let hash = unsafe IdentityTable.hash(key)
        if let slot = unsafe find(key, hash, assigned) {
            assigned.noteSpelling(ofSlot: slot)
            return assigned.slots.id(slot)
        }
        return unsafe assigned.packed.withUnsafeBytes { unsafe assigned.add($0, hash) }
    }

    /// The id of an identity if it is known.
    func id(_ key: UnsafeRawBufferPointer) -> Int64? {
        guard let assigned else { return nil }
        if let id = unsafe assigned.last.id(of: key) { return id }
        guard let slot = unsafe find(key, IdentityTable.hash(key), assigned) else { return nil }
        let id = assigned.slots.id(slot)
        unsafe assigned.last.set(key, id)
        return id
    }

    private func find(_ key: UnsafeRawBufferPointer, _ hash: UInt32, _ assigned: AssignedIdentities) -> UInt32? {
        assigned.table.find(hash, assigned.slots) { slot in
            encode(slot, assigned)
            return unsafe assigned.encoder.bytes.hasSameBytes(as: key)
        }
    }

    /// Encodes the identity in a slot.
    func encode(_ slot: UInt32, _ assigned: AssignedIdentities) {
        assigned.encoder.removeAll()
        unsafe assigned.slots.packed(slot)?.encode(components, into: &assigned.encoder)
    }

    private func encode(_ identity: RowValues, into encoder: inout KeyEncoder) {
        encoder.removeAll()
        if let rowid = identity.standInRowid(keyCount: keyCount) { return encoder.append(standInRowid: rowid) }
        for index in 0..<identity.count { encoder.append(identity, index, components[index]) }
    }

    /// The identity of an id that was assigned; nil for rowids, and for ids that were released.
    func identity(of id: Int64) -> RowValues? {
        guard let slots = assigned?.slots else { return nil }
        return slots.slot(of: id).map(slots.identity)
    }

    /// The values of a row's identity; none if it was released.
    func values(_ id: Int64) -> RowValues { key(id) ?? RowValues([.integer(id)]) }

    /// The same, but nil where the rowid is the identity.
    func key(_ id: Int64) -> RowValues? {
        if let values = assigned?.outside(id) { return values }
        return areRowids ? nil : identity(of: id) ?? RowValues([])
    }

    /// Calls `body` with all ids and their identities.
    package func forEach(_ body: (Int64, RowValues) -> Void) {
        guard let slots = assigned?.slots else { return }
        slots.forEach { body(slots.id($0), slots.identity($0)) }
    }

    /// Gives an identity the id that it had in an earlier process; false if one of the two is in
    /// use, or no list of so many rows has such an id.
    package func restore(_ id: Int64, _ identity: RowValues, rowCount: Int) -> Bool {
        let isRowid = components.count > keyCount && identity.standInRowid(keyCount: keyCount) != nil
        guard isRowid || identity.count == keyCount else { return false }
        let assigned = needed()
        encode(identity, into: &assigned.encoder)
        let key = assigned.encoder.copy()
        let hash = unsafe key.withUnsafeBytes(IdentityTable.hash)
        guard unsafe key.withUnsafeBytes({ unsafe self.id($0) }) == nil,
            let slot = assigned.slots.restore(id, identity, isRowid: isRowid, hash: hash, rowCount: rowCount)
        else { return false }
        assigned.table.insert(slot, hash, assigned.slots)
        return true
    }

    /// An id that no row of a list has, for an identity that is stored until the next release.
    func newID(outsideLists values: RowValues) -> Int64 { needed().addOutside(values) }
}
