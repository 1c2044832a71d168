import Testing

@testable import OrderedTree

@Suite("Short bytes")
struct ShortBytesTests {
    /// Before: arrays of all lengths around the greatest one that needs no allocation. Change: each
    /// is copied. Expected: the copy has the same bytes, and equals no other one.
    @Test func haveTheBytesThatTheyWereMadeOf() {
        let all = (0..<60).map { length in (0..<length).map { UInt8($0 * 7 & 255) } }
        let copies = all.map { bytes in bytes.withUnsafeBytes { ShortBytes($0) } }
        #expect(copies.map(\.array) == all)
        #expect(copies.map(\.count) == Array(0..<60))
        for (index, copy) in copies.enumerated() { #expect(copies.firstIndex(of: copy) == index) }
    }
}
