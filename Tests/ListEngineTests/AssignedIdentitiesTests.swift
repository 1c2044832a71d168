import SQLiteKit
import Testing

@testable import ListEngine

@Suite struct AssignedIdentitiesTests {
    private func bytes(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        RowValues([.text(text)]).packIdentity(isRowid: false, into: &bytes)
        return bytes
    }

    /// The packed bytes are hashed, in place of a key.
    private func add(_ text: String, to assigned: AssignedIdentities, isIndexed: Bool) -> Int64 {
        bytes(text).withUnsafeBytes { packed in
            isIndexed
                ? assigned.add(packed, IdentityTable.hash(packed))
                : assigned.addUnindexed(packed, IdentityTable.hash(packed))
        }
    }

    private func ids(_ text: String, in assigned: AssignedIdentities) -> [Int64] {
        bytes(text).withUnsafeBytes { packed in
            var slots: [UInt32] = []
            _ = assigned.table.find(IdentityTable.hash(packed), assigned.slots) { slot in
                if assigned.slots.contains(packed, at: slot) { slots.append(slot) }
                return false
            }
            return slots.map(assigned.slots.id)
        }
    }

    /// Before: identities that are not indexed. Change: a search, or one more identity. Expected:
    /// all are found, each once.
    @Test(arguments: [true, false]) func unindexedOnesAreFound(addsAnother: Bool) {
        let assigned = AssignedIdentities()
        let texts = (0..<50).map { "key \($0)" }
        let added = texts.map { add($0, to: assigned, isIndexed: false) }
        if addsAnother {
            let another = add("another", to: assigned, isIndexed: true)
            #expect(ids("another", in: assigned) == [another])
        }
        for (text, id) in zip(texts, added) { #expect(ids(text, in: assigned) == [id]) }
    }
}
