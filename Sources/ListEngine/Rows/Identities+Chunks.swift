internal import SQLiteKit

/// The ids of the rows of a scan.
extension Identities {
    /// Gives the rows of a chunk the ids of their identities, known or new.
    func assignIDs(to chunk: inout KeyChunk) {
        let assigned = needed()
        let (table, ids) = unsafe (assigned.table, chunk.ids)
        var hashes: [UInt32] = []
        hashes.reserveCapacity(chunk.count)
        unsafe forEachIdentity(of: chunk) { _, key, _ in unsafe hashes.append(IdentityTable.hash(key)) }
        unsafe forEachIdentity(of: chunk) { row, key, packed in
            if row + Self.prefetchDistance < hashes.count { table.prefetch(hashes[row + Self.prefetchDistance]) }
            let known = table.find(hashes[row], assigned.slots) { slot in
                if unsafe assigned.slots.contains(packed, at: slot) { return true }
                // The same identity can be spelled differently.
                encode(slot, assigned)
                return unsafe assigned.encoder.bytes.hasSameBytes(as: key)
            }
            if let known { unsafe assigned.noteSpelling(ofSlot: known, packed) }
            unsafe ids[row] = known.map(assigned.slots.id) ?? assigned.add(packed, hashes[row])
        }
    }

    /// How many rows before it is searched an identity's place in the table is prefetched.
    private static var prefetchDistance: Int { 8 }

    /// The same if no id was assigned before, so that no identity is searched. Whether all of them
    /// differ is determined by `index`.
    func assignNewIDs(to chunk: inout KeyChunk) {
        let assigned = needed()
        let ids = unsafe chunk.ids
        unsafe forEachIdentity(of: chunk) { row, key, packed in
            unsafe ids[row] = assigned.addUnindexed(packed, IdentityTable.hash(key))
        }
    }

    /// Calls `body` with each row's number, the key by which its identity is found, and its packed
    /// identity.
    private func forEachIdentity(
        of chunk: borrowing KeyChunk, _ body: (Int, UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
    ) {
        var standIn = KeyEncoder()
        unsafe chunk.forEachIdentity { row, key, packed in
            if let rowid = unsafe packed.baseAddress.flatMap({ unsafe PackedIdentity($0).rowid }) {
                standIn.removeAll()
                standIn.append(standInRowid: rowid)
                unsafe body(row, standIn.bytes, packed)
            } else {
                unsafe body(row, key, packed)
            }
        }
    }

    /// Indexes new identities, so that the next search need not do it. Returns the id of one that
    /// another row has as well.
    func index() -> Int64? {
        guard let assigned, let slot = assigned.index(isSame: { isSame($0, $1, assigned) }) else { return nil }
        return assigned.slots.id(slot)
    }

    private func isSame(_ slot: UInt32, _ other: UInt32, _ assigned: AssignedIdentities) -> Bool {
        encode(slot, assigned)
        let key = assigned.encoder.copy()
        encode(other, assigned)
        return unsafe key.withUnsafeBytes { unsafe assigned.encoder.bytes.hasSameBytes(as: $0) }
    }
}
