internal import SQLiteKit

/// The ids of the rows of a scan.
extension Identities {
    /// Gives the rows of a chunk the ids of their identities, known or new.
    func assignIDs(to chunk: inout KeyChunk) {
        let assigned = needed()
        unsafe assignIDs(to: &chunk) { key, packed in
            let hash = unsafe IdentityTable.hash(key)
            let known = assigned.table.find(hash, assigned.slots) { slot in
                if unsafe assigned.slots.contains(packed, at: slot) { return true }
                // The same identity can be spelled differently.
                encode(slot, assigned)
                return unsafe assigned.encoder.bytes.hasSameBytes(as: key)
            }
            if let known { return assigned.slots.id(known) }
            return unsafe assigned.add(packed, hash)
        }
    }

    /// The same if no id was assigned before, so that no identity is searched. Whether all of them
    /// differ is determined by `index`.
    func assignNewIDs(to chunk: inout KeyChunk) {
        let assigned = needed()
        unsafe assignIDs(to: &chunk) { key, packed in
            unsafe assigned.addUnindexed(packed, IdentityTable.hash(key))
        }
    }

    private func assignIDs(
        to chunk: inout KeyChunk, _ id: (_ key: UnsafeRawBufferPointer, _ packed: UnsafeRawBufferPointer) -> Int64
    ) {
        let ids = unsafe chunk.ids
        var standIn = KeyEncoder()
        unsafe chunk.forEachIdentity { row, key, packed in
            if let rowid = unsafe packed.baseAddress.flatMap({ unsafe PackedIdentity($0).rowid }) {
                standIn.removeAll()
                standIn.append(standInRowid: rowid)
                unsafe ids[row] = id(standIn.bytes, packed)
            } else {
                unsafe ids[row] = id(key, packed)
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
