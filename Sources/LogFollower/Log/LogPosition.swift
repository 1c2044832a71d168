internal import CSQLite

/// One committed state of a database in WAL mode: the header of the log's index
/// (https://www.sqlite.org/walformat.html#walidxfmt).
///
/// No two states have the same position: commits append frames, and a log that is restarted has
/// other salts.
package struct LogPosition: Equatable, Sendable {
    /// Counts the commits.
    package let commitCount: UInt32
    /// The number of the last valid frame; 0 if the log is empty.
    let lastFrame: UInt32
    /// The size of the database in pages; 0 if the log never had a frame.
    let pageCount: UInt32
    let salts: UInt64
    private let pageSizeCode: UInt16
    /// The checksum of the last frame, which also depends on all earlier frames.
    private let frameChecksum: UInt64
    private let checksum: UInt64

    /// The page size in bytes; nil if the log never had a frame.
    var pageSize: Int? {
        switch pageSizeCode {
        case 0: nil
        case 1: 65_536
        default: Int(pageSizeCode)
        }
    }

    /// Whether both are in the same run of the log.
    func isSameRun(as other: LogPosition) -> Bool { salts == other.salts }

    /// The number of frames that follow an earlier position in the log.
    func frameCount(since earlier: LogPosition) -> Int {
        Int(lastFrame) - (isSameRun(as: earlier) ? Int(earlier.lastFrame) : 0)
    }

    /// The position in a form that outlives the log's index; nil if the log is empty, because its
    /// next run then has other salts.
    package var mark: LogMark? {
        guard lastFrame > 0 else { return nil }
        return LogMark(
            salts: salts, lastFrame: lastFrame, pageCount: pageCount, pageSizeCode: pageSizeCode,
            frameChecksum: frameChecksum)
    }

    /// The position of the commit after an earlier one, in the same run of the log as a later one.
    init(after earlier: LogPosition, atFrame frame: UInt32, _ pageCount: UInt32, before later: LogPosition) {
        commitCount = earlier.commitCount &+ 1
        lastFrame = frame
        self.pageCount = pageCount
        salts = later.salts
        pageSizeCode = later.pageSizeCode
        frameChecksum = 0
        checksum = 0
    }

    /// A position before this one, in the same run of the log.
    init(_ mark: LogMark, before later: LogPosition) {
        commitCount = later.commitCount
        lastFrame = mark.lastFrame
        pageCount = mark.pageCount
        salts = later.salts
        pageSizeCode = mark.pageSizeCode
        frameChecksum = mark.frameChecksum
        checksum = 0
    }
}

/// The index of a log: memory that all connections share. Any thread may read it as long as a
/// connection has mapped it.
@safe
struct LogIndex: @unchecked Sendable {
    private let file: UnsafeMutablePointer<sqlite3_file>
    private let header: UnsafeMutableRawPointer

    /// nil if the file has no such memory.
    init?(_ file: UnsafeMutablePointer<sqlite3_file>) {
        guard let region = unsafe Self.region(0, of: file) else { return nil }
        unsafe self.file = unsafe file
        unsafe header = unsafe region
    }

    /// The words of the first region: the header, its copy, and the number of frames that are in
    /// the database file.
    private static var headerWords: Int { 12 }
    private static var backfillWord: Int { 24 }
    private static var attemptWord: Int { 32 }
    private static var version: UInt32 { 3_007_000 }

    /// The position that was committed last. nil while the header is being written, or if a process
    /// died and left it half written: the next transaction repairs it.
    func position() -> LogPosition? {
        for _ in 0..<1000 {
            if let position = stablePosition() { return position }
        }
        return nil
    }

    private func stablePosition() -> LogPosition? {
        func word(_ index: Int) -> UInt32 { unsafe fr_shared_word(header, index) }
        var words: [12 of UInt32] = .init(repeating: 0)
        for index in 0..<Self.headerWords { words[index] = word(index) }
        for index in 0..<Self.headerWords where word(Self.headerWords + index) != words[index] { return nil }
        let isInitialized = words[3].firstByte == 1
        guard isInitialized, words[0] == Self.version, isChecksumRight(words) else { return nil }
        return LogPosition(words)
    }

    /// https://www.sqlite.org/walformat.html#checksum_algorithm, over the preceding words.
    private func isChecksumRight(_ words: [12 of UInt32]) -> Bool {
        var (first, second): (UInt32, UInt32) = (0, 0)
        for index in stride(from: 0, to: 10, by: 2) {
            first = first &+ words[index] &+ second
            second = second &+ words[index + 1] &+ first
        }
        return words[10] == first && words[11] == second
    }

    /// How many frames a checkpoint has written into the database file.
    var backfilledFrame: UInt32 { unsafe fr_shared_word(header, Self.backfillWord) }

    /// How many frames may be in the database file: the ones that a checkpoint has begun to write,
    /// or, after the index was rebuilt, all frames that existed then.
    var attemptedFrame: UInt32 { unsafe fr_shared_word(header, Self.attemptWord) }

    /// The page that a frame contains; 0 if it is unknown (https://www.sqlite.org/walformat.html,
    /// "WAL-Index Hash Tables").
    func page(ofFrame frame: UInt32) -> UInt32 {
        let inFirst = Self.framesInFirstRegion
        let (number, word) =
            frame <= inFirst
            ? (0, 34 + Int(frame) - 1)
            : (Int(frame - inFirst - 1) / 4096 + 1, Int(frame - inFirst - 1) % 4096)
        guard frame > 0, let region = unsafe number == 0 ? header : Self.region(number, of: file) else { return 0 }
        return unsafe fr_shared_word(region, word)
    }

    /// The last frame of each page that is in a range of frames. Throws at the first frame that the
    /// index has no room for.
    func frames(after first: UInt32, upTo last: UInt32) throws(Uncertainty) -> [UInt32: UInt32] {
        var frames: [UInt32: UInt32] = [:]
        var frame = first
        while frame < last {
            frame += 1
            let page = page(ofFrame: frame)
            guard page > 0 else { throw .pages }
            frames[page] = frame
        }
        return frames
    }

    private static var framesInFirstRegion: UInt32 { 4062 }

    /// One of the 32 KiB regions of the index, which stay mapped as long as the connection is open.
    private static func region(
        _ number: Int, of file: UnsafeMutablePointer<sqlite3_file>
    ) -> UnsafeMutableRawPointer? {
        guard let methods = unsafe file.pointee.pMethods, unsafe methods.pointee.iVersion >= 2,
            let map = unsafe methods.pointee.xShmMap
        else { return nil }
        var region: UnsafeMutableRawPointer?
        let code = unsafe map(file, Int32(number), 32_768, 0, &region)
        // SQLITE_READONLY is the success of a user who may only read: the region is mapped. The
        // extended codes mean that no connection has initialized the index.
        return unsafe code == SQLITE_OK || code == SQLITE_READONLY ? region : nil
    }
}

extension LogPosition {
    fileprivate init(_ words: [12 of UInt32]) {
        commitCount = words[2]
        pageSizeCode = words[3].upperHalf
        lastFrame = words[4]
        pageCount = words[5]
        frameChecksum = UInt64(words[6]) | UInt64(words[7]) << 32
        salts = UInt64(words[8]) | UInt64(words[9]) << 32
        checksum = UInt64(words[10]) | UInt64(words[11]) << 32
    }
}

/// Parts of a word in the order in which they are in memory, whatever the byte order.
extension UInt32 {
    fileprivate var firstByte: UInt8 { UInt8(truncatingIfNeeded: littleEndian == self ? self : self >> 24) }
    fileprivate var upperHalf: UInt16 { UInt16(truncatingIfNeeded: littleEndian == self ? self >> 16 : self) }
}

/// Why the log does not show which rows changed. The database is then read as a whole.
package enum Uncertainty: Int, Error, CaseIterable, Sendable {
    /// The schema, the page size or the mode of vacuuming changed.
    case layout = 0
    /// There are too many changes for a comparison to be worthwhile.
    case tooMany = 1
    /// The log was restarted before its frames were read.
    case restarted = 2
    /// The pages are inconsistent, or SQLite's format is not readable in them (encryption).
    case pages = 3
    /// The snapshot was released, or could not be taken.
    case snapshot = 4
    /// Another connection committed so close to a commit of this one that the two can't be
    /// separated.
    case raced = 5
    /// The old values of a row can't be read.
    case image = 6
}
