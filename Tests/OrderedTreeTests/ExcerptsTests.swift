import TestSupport
import Testing

@testable import OrderedTree

@Suite("Excerpts of keys")
struct ExcerptsTests {
    /// One excerpt that a model expects.
    private struct Excerpt: Equatable {
        var row: Int
        let offset: Int
        var bytes: [UInt8]
    }

    private func contents(_ excerpts: borrowing Excerpts) -> [Excerpt] {
        var all: [Excerpt] = []
        excerpts.forEach { head, bytes in
            all.append(Excerpt(row: head.row, offset: head.offset, bytes: Array(bytes)))
        }
        return all
    }

    private func Array(_ key: KeyBytes) -> [UInt8] {
        Swift.Array(UnsafeBufferPointer(start: key.bytes, count: key.count))
    }

    /// Before: none. Change: random additions, renumberings, cuts and removals. Expected: those of
    /// a model after each step, in a block of limited size; a search finds the bytes from its
    /// offset on; a copy has the same ones.
    @Test(arguments: 1...6) func holdsWhatAModelHolds(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var excerpts = Excerpts()
        var model: [Excerpt] = []
        for _ in 0..<3_000 {
            switch random.below(4) {
            case 0, 1:
                let row = random.below(250)
                let key = (0..<random.below(60)).map { _ in UInt8(random.below(256)) }
                let (start, end) = (random.below(60), random.below(60))
                excerpts.edit { $0.row != row }
                model.removeAll { $0.row == row }
                let size = model.reduce(2) { $0 + 4 + $1.bytes.count } + 4 + end - start
                key.withUnsafeBytes { excerpts.add(row, KeyBytes($0), from: start, to: end) }
                if start < end, end <= key.count, end - start <= Excerpts.greatestCount, size <= 144 {
                    model.append(Excerpt(row: row, offset: start, bytes: Swift.Array(key[start..<end])))
                }
            case 2:
                let (from, by) = (random.below(250), random.below(30) - 15)
                let change = { (row: Int) in row >= from ? row + by : row }
                excerpts.edit { head in
                    head.row = change(head.row)
                    return head.row >= 0
                }
                for index in model.indices { model[index].row = change(model[index].row) }
                model.removeAll { !(0..<256).contains($0.row) }
            default:
                let (row, count) = (random.below(250), random.below(40))
                excerpts.edit { head in
                    if head.row < row { head.count = min(head.count, count) }
                    return head.count > 0
                }
                for index in model.indices where model[index].row < row {
                    model[index].bytes = Swift.Array(model[index].bytes.prefix(count))
                }
                model.removeAll { $0.bytes.isEmpty }
            }
            #expect(contents(excerpts) == model)
            #expect(contents(Excerpts(excerpts)) == model)
            #expect(excerpts.isEmpty == model.isEmpty && excerpts.bytesHeld <= 160)
            let (row, offset) = (random.below(250), random.below(60))
            let expected = model.first { $0.row == row && $0.offset <= offset && offset < $0.offset + $0.bytes.count }
            #expect(
                excerpts.find(row, at: offset).map(Array)
                    == expected.map { Swift.Array($0.bytes[(offset - $0.offset)...]) })
        }
    }
}
