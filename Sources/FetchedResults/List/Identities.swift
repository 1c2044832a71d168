internal import SQLiteKit

/// The row ids under which a list knows its rows: the rowid itself where that is the identity, else numbers given out
/// here, one per identity. Equal identities, as their columns' collations compare, are one.
final class Identities {
    struct Identity {
        let values: Record
        /// Whether a declared key holds NULL, so that the rowid stands in for it.
        let isRowid: Bool
    }

    private var ids: [[UInt8]: Int64] = [:]
    private var identities: [Int64: Identity] = [:]
    private var next: Int64 = 1
    private var nextOutside = Int64.min

    /// The id of an identity, known or new.
    func id(_ key: UnsafeRawBufferPointer, _ identity: @autoclosure () -> Identity) -> Int64 {
        let key = [UInt8](key)
        if let id = ids[key] { return id }
        defer { next += 1 }
        ids[key] = next
        identities[next] = identity()
        return next
    }

    /// The id of an identity if it is known.
    func id(_ key: UnsafeRawBufferPointer) -> Int64? { ids[[UInt8](key)] }

    /// The identity behind an id that was given out; nil for rowids.
    func record(_ id: Int64) -> Identity? { identities[id] }

    /// Whether no ids were given out, so that all are rowids.
    var areRowids: Bool { identities.isEmpty }

    /// The values of a row's identity.
    func values(_ id: Int64) -> Record { identities[id]?.values ?? Record([.integer(id)]) }

    var isEmpty: Bool { ids.isEmpty }

    /// Calls `body` with all ids and the keys that they were given out for.
    func forEach(_ body: (Int64, [UInt8], Identity) -> Void) {
        for (key, id) in ids {
            if let identity = identities[id] { body(id, key, identity) }
        }
    }

    /// Gives an identity the id that it had before; false if one of the two is taken.
    func restore(_ id: Int64, _ key: [UInt8], _ identity: Identity) -> Bool {
        guard id > 0, id < Int64.max, identities[id] == nil, ids.updateValue(id, forKey: key) == nil else { return false }
        identities[id] = identity
        next = max(next, id + 1)
        return true
    }

    /// An id that no row of a list has, for an identity that is to be known all the same.
    func newID(outsideLists values: Record) -> Int64 {
        defer { nextOutside += 1 }
        identities[nextOutside] = Identity(values: values, isRowid: false)
        return nextOutside
    }
}
