import TestSupport
import Testing

@testable import SQLiteKit

/// The parts in which touched rows are read.
@Suite struct TouchedRowParts {
    private func parts(_ rowids: [Int64]) -> [(rowids: [Int64], areNeighbours: Bool)] {
        var rows = TouchedRows()
        for rowid in rowids { rows.add(.rowid(rowid, image: nil)) }
        var parts: [(rowids: [Int64], areNeighbours: Bool)] = []
        var next = 0
        while next < rows.rowids.all.count {
            let (part, areNeighbours) = rows.rowids.part(from: next)
            #expect(part.lowerBound == next && !part.isEmpty)
            parts.append((Array(rows.rowids.all[part]), areNeighbours))
            next = part.upperBound
        }
        return parts
    }

    private func isRun(_ rowids: ArraySlice<Int64>) -> Bool {
        zip(rowids, rowids.dropFirst()).allSatisfy { $0 < .max && $0 + 1 == $1 }
    }

    @Test func theGreatestRowidHasNoNeighbourAfterIt() {
        let parts = parts([.max - 3, .max - 2, .max - 1, .max, .min, .min + 1, .min + 2, .min + 3])
        #expect(parts.map(\.areNeighbours) == [true, true])
        #expect(parts.map(\.rowids.first) == [.max - 3, .min])
    }

    /// Before: rows in any order. Change: they are divided. Expected: all of them in their order;
    /// neighbours follow one another, and the others have no four that do.
    @Test(arguments: RandomTests.seeds(1..<20)) func partsAreRunsOrHaveNone(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<50 {
            var rowids: [Int64] = []
            for _ in 0..<random.below(8) {
                let first = Int64(random.below(100)) * 100
                rowids += (0..<Int64(1 + random.below(7))).map { first + $0 }
            }
            rowids = rowids.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
            let parts = parts(rowids)
            #expect(parts.flatMap(\.rowids) == rowids)
            for part in parts {
                if part.areNeighbours {
                    #expect(part.rowids.count >= 4 && isRun(part.rowids[...]))
                } else {
                    #expect(part.rowids.indices.dropLast(3).allSatisfy { !isRun(part.rowids[$0..<($0 + 4)]) })
                }
            }
            for (part, next) in zip(parts, parts.dropFirst()) where part.areNeighbours == next.areNeighbours {
                #expect(part.areNeighbours && !isRun((part.rowids.suffix(1) + next.rowids.prefix(1))[...]))
            }
        }
    }
}
