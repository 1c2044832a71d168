/// The place in the write-ahead log where a committed state ended, in a form that a file can store.
/// After a restart it shows whether the log still leads from there to the present state.
package struct LogMark: Equatable, Sendable {
    /// The salts identify the run of the log; nil for the beginning of any run, before its first
    /// frame.
    let salts: UInt64?
    let lastFrame: UInt32
    let pageCount: UInt32
    let pageSizeCode: UInt16
    let frameChecksum: UInt64

    init(salts: UInt64?, lastFrame: UInt32, pageCount: UInt32, pageSizeCode: UInt16, frameChecksum: UInt64) {
        self.salts = salts
        self.lastFrame = lastFrame
        self.pageCount = pageCount
        self.pageSizeCode = pageSizeCode
        self.frameChecksum = frameChecksum
    }

    /// The state that the database file had before the first frame of a log.
    package static let beginning = LogMark(salts: nil, lastFrame: 0, pageCount: 0, pageSizeCode: 0, frameChecksum: 0)

    /// Whether the log that ends at a position may lead from here to there.
    package func mayLead(to position: LogPosition) -> Bool {
        (salts == nil || salts == position.salts) && lastFrame <= position.lastFrame
    }

    // MARK: Bytes

    /// The mark as numbers, from which `init(numbers:)` restores it.
    package var numbers: [UInt64] {
        [salts ?? 0, UInt64(lastFrame) << 32 | UInt64(pageCount), UInt64(pageSizeCode), frameChecksum]
    }

    package static let numberCount = 4

    /// Reads `numberCount` of them.
    package init(numbers: [UInt64]) {
        precondition(numbers.count == Self.numberCount, "not the numbers of a mark")
        salts = numbers[0]
        lastFrame = UInt32(numbers[1] >> 32)
        pageCount = UInt32(truncatingIfNeeded: numbers[1])
        pageSizeCode = UInt16(truncatingIfNeeded: numbers[2])
        frameChecksum = numbers[3]
    }
}
