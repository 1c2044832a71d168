import SQLiteKit
import Testing

@Suite struct KeySorterTests {
    /// Keys that agree in long beginnings, are the beginning of each other, hold zeros, or are empty.
    @Test(arguments: 0..<50) func keysComeOutInTheOrderOfTheirBytes(seed: Int) {
        var state = UInt64(seed &* 2_654_435_761 &+ 1)
        func next(_ limit: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % limit
        }
        let sorter = KeySorter()
        var keys: [[UInt8]] = []
        for id in 0..<200 {
            let first = [UInt8](repeating: 7, count: Int(next(3)) * 9)
            let second = (0..<next(12)).map { _ in UInt8(next(3)) }
            // The id makes keys unique, as identities do.
            let tail = withUnsafeBytes(of: UInt16(id).bigEndian) { Array($0) }
            keys.append(first + second + [255] + tail)
            first.withUnsafeBytes { first in
                (second + [255] + tail).withUnsafeBytes { rest in
                    sorter.append(first, rest, id: Int64(id), hash: UInt32(id), tag: Int32(id))
                }
            }
        }
        var found: [[UInt8]] = []
        sorter.forEachSorted { row in
            #expect(row.hash == UInt32(row.id) && row.tag == Int32(row.id))
            #expect([UInt8](row.key) == keys[Int(row.id)])
            found.append([UInt8](row.key))
        }
        #expect(found == keys.sorted { $0.lexicographicallyPrecedes($1) })
    }
}
