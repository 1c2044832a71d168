import TestSupport
import Testing

@testable import SQLiteKit

/// Touched rows of a table with rowids, few and many, ascending or not.
@Suite struct TouchedRowids {
    /// Before: some rows are touched, mostly in ascending order. Change: another one is added or
    /// noted, or the last are removed. Expected: each rowid once, in the order in which it came,
    /// with the first image, or with the last noted one.
    @Test(arguments: RandomTests.seeds(1..<60)) func eachRowidIsThereOnce(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var rows = TouchedRows()
        var expected: [(rowid: Int64, image: Int64)] = []
        let disorder = random.pick([0, 1, 8])
        for step in 0..<150 {
            let isNext = random.below(16) >= disorder && random.below(4) > 0
            let rowid = isNext ? (expected.last?.rowid ?? 0) + 1 : Int64(random.below(40))
            let image = RowValues([.integer(Int64(step))])
            let known = expected.firstIndex { $0.rowid == rowid }
            switch random.below(12) {
            case 0:
                let count = expected.count - min(expected.count, random.below(20))
                rows.removeLast(downToRowids: count, keys: 0)
                expected.removeSubrange(count...)
            case 1, 2:
                rows.note(.rowid(rowid, image: image))
                if let known { expected[known].image = Int64(step) } else { expected.append((rowid, Int64(step))) }
            default:
                rows.add(.rowid(rowid, image: image))
                if known == nil { expected.append((rowid, Int64(step))) }
            }
            #expect(rows.rowids.all == expected.map(\.rowid), "step \(step)")
            #expect(rows.rowids.images.map { $0?.integer(0) } == expected.map(\.image))
            let other = Int64(random.below(60))
            let found = expected.first { $0.rowid == other }?.image
            #expect(rows.rowids.image(of: other)??.integer(0) == found)
        }
    }
}

/// Touched rows of a table WITHOUT ROWID, few and many, ascending or not.
@Suite struct TouchedRowKeys {
    /// How a number is made the last value of a key. The keys ascend as the numbers do.
    enum Form: CaseIterable {
        case number
        case text
        case blob
    }

    /// Keys of the same number are equal for SQLite. Some of the texts and blobs have zeros, and
    /// some begin with another one.
    private func key(_ number: Int, _ form: Form, _ random: inout SeededRandom) -> RowValues {
        let bytes = number % 16 == 0 ? [UInt8(number / 16)] : [UInt8(number / 16), UInt8(number % 16 - 1)]
        let value: Value =
            switch form {
            case .number where random.below(3) > 0: .integer(Int64(number))
            case .number: .real(number == 0 ? -0.0 : Double(number))
            case .text: .text(String(decoding: bytes, as: UTF8.self))
            case .blob: .blob(bytes)
            }
        return RowValues([.text("k"), value])
    }

    private func number(_ key: RowValues) -> Int {
        switch key.value(1) {
        case .integer(let integer): return Int(integer)
        case .real(let real): return Int(real)
        case .text, .blob, .null:
            let bytes = unsafe [UInt8](key.bytes(1))
            return Int(bytes[0]) * 16 + (bytes.count > 1 ? Int(bytes[1]) + 1 : 0)
        }
    }

    /// Before: some rows are touched, mostly in ascending order. Change: another one is added or
    /// noted, or the last are removed. Expected: each key once, in the order in which it came, with
    /// the first image, or with the last noted one.
    @Test(arguments: RandomTests.seeds(1..<30), Form.allCases) func eachKeyIsThereOnce(seed: UInt64, form: Form) {
        var random = SeededRandom(seed: seed)
        var rows = TouchedRows()
        var expected: [(number: Int, image: Int64)] = []
        let disorder = random.pick([0, 1, 16])
        for step in 0..<200 {
            let isNext = random.below(16) >= disorder && random.below(6) > 0
            let number = isNext ? (expected.last?.number ?? 0) + 1 : random.below(40)
            let image = RowValues([.integer(Int64(step))])
            let known = expected.firstIndex { $0.number == number }
            switch random.below(14) {
            case 0:
                let count = expected.count - min(expected.count, random.below(6))
                rows.removeLast(downToRowids: 0, keys: count)
                expected.removeSubrange(count...)
            case 1, 2:
                rows.note(.key(key(number, form, &random), image: image))
                if let known { expected[known].image = Int64(step) } else { expected.append((number, Int64(step))) }
            default:
                rows.add(.key(key(number, form, &random), image: image))
                if known == nil { expected.append((number, Int64(step))) }
            }
            #expect(rows.keys.images.map { $0?.integer(0) } == expected.map(\.image), "step \(step)")
            #expect(rows.keys.all.map(self.number) == expected.map(\.number))
            let other = random.below(60)
            #expect(rows.contains(key(other, form, &random)) == expected.contains { $0.number == other })
        }
    }
}
