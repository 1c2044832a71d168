import Foundation
import SQLiteKit
import TestSupport
import Testing

@Suite struct KeySorterTests {
    /// Keys that have long common prefixes, are prefixes of each other, contain zeros, or are
    /// empty.
    @Test(arguments: RandomTests.seeds(1..<50)) func keysComeOutInTheOrderOfTheirBytes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let sorter = KeySorter()
        var keys: [[UInt8]] = []
        for id in 0..<200 {
            let first = [UInt8](repeating: 7, count: random.below(3) * 9)
            let second = (0..<random.below(12)).map { _ in UInt8(random.below(3)) }
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
        sorter.forEachSorted { id, hash, tag, key in
            #expect(hash == UInt32(id) && tag == Int32(id))
            #expect([UInt8](key) == keys[Int(id)])
            found.append([UInt8](key))
        }
        #expect(found == keys.sorted { $0.lexicographicallyPrecedes($1) }, "\(RandomTests.replay(seed, "KeySorter"))")
    }

    /// Before: keys that end with ids, some of them long. Expected: each row has its id.
    @Test func idsAreReadFromTheKeys() {
        let sorter = KeySorter(endsWithID: true)
        let ids: [Int64] = [.max, 3, 0, -1, 70_000, .min]
        for (number, id) in ids.enumerated() {
            var key = KeyEncoder()
            key.append(rowid: id)
            let start = [UInt8](repeating: 1, count: number % 2 * 300)
            start.withUnsafeBytes { sorter.append($0, key.bytes, id: id, hash: 7, tag: Int32(number) * 1000 - 1) }
        }
        var found: [Int64] = []
        sorter.forEachSorted { id, hash, tag, _ in
            #expect(hash == 7 && tag == Int32(ids.firstIndex(of: id) ?? -1) * 1000 - 1)
            found.append(id)
        }
        #expect(found == [.min, -1, 3, 0, 70_000, .max])
    }

    /// Before: keys that begin with the same bytes. Expected: they are sorted on a small stack.
    @Test(arguments: [0, 8, 12_500, 410_000, 4_100_000]) func keysBeginWithTheSameBytes(_ count: Int) throws {
        let start = [UInt8](repeating: 120, count: count)
        let ends: [[UInt8]] = [[3], [1, 2], [], [1], [2]]
        nonisolated(unsafe) var found: [Int64] = []
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            let sorter = KeySorter()
            for (id, end) in ends.enumerated() {
                start.withUnsafeBytes { start in
                    end.withUnsafeBytes { sorter.append(start, $0, id: Int64(id), hash: 0, tag: 0) }
                }
            }
            sorter.forEachSorted { id, _, _, _ in found.append(id) }
            done.signal()
        }
        thread.stackSize = 256 << 10
        thread.start()
        done.wait()
        #expect(found == [2, 3, 1, 4, 0])
    }
}
