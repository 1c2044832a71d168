internal import OrderedTree
internal import SQLiteKit

/// The sections in which rows of a round were found: the next rows are often in the same ones.
struct FoundSections: ~Copyable {
    private var last: SectionID?
    /// By the hashes of their keys; without the first one, as most rounds find no other.
    private var byHash: RowDictionary<SectionID>?
    /// Which bits of their hashes the keys have.
    private let hashMask: UInt32

    init(hashMask: UInt32) { self.hashMask = hashMask }

    /// The section of a list that has a key, if it was found before. O(1), expected.
    func section(withKey key: UnsafeRawBufferPointer, in list: List) -> SectionID? {
        if let last, unsafe list.hasKey(last, key) { return last }
        guard let byHash, let known = unsafe byHash[hash(key)], unsafe list.hasKey(known, key) else { return nil }
        return known
    }

    mutating func add(_ section: SectionID, withKey key: UnsafeRawBufferPointer) {
        if last != nil {
            let hash = unsafe hash(key)
            if byHash == nil { byHash = RowDictionary() }
            byHash?.set(hash, section)
        }
        last = section
    }

    private func hash(_ key: UnsafeRawBufferPointer) -> Int64 { unsafe Int64(KeyHash.hash32(key) & hashMask) }
}
