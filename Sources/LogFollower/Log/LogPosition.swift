internal import CSQLite

/// One committed state of a database in WAL mode: the header of the log's index
/// (https://www.sqlite.org/walformat.html#walidxfmt).
///
/// A position is never taken twice: frames are added, and a log that is begun from its start again has other salts.
package struct LogPosition: Equatable, Sendable {
    /// Counts the commits.
    package let commitCount: UInt32
    /// The number of the last frame that counts; 0 if the log is empty.
    let lastFrame: UInt32
    /// The size of the database in pages; 0 if the log never had a frame.
    let pageCount: UInt32
    let salts: UInt64
    private let pageSizeCode: UInt16
    /// That of the last frame, which goes by all frames before it as well.
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

    /// The position as it can be kept beyond the life of the log's index; nil if the log is empty, as its next run is
    /// then known by other salts.
    package var mark: LogMark? {
        guard lastFrame > 0 else { return nil }
        return LogMark(
            salts: salts, lastFrame: lastFrame, pageCount: pageCount, pageSizeCode: pageSizeCode,
            frameChecksum: frameChecksum)
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

/// The index of a log: memory that all connections share. Any thread may read it as long as a connection has it mapped.
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

    /// Words of the first region: the header and its copy, and how many frames are in the database file.
    private static var headerWords: Int { 12 }
    private static var backfillWord: Int { 24 }
    private static var attemptWord: Int { 32 }
    private static var version: UInt32 { 3_007_000 }

    /// The position that was committed last; nil if the header is being written, or was left half written by a process
    /// that died: the next transaction repairs it.
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

    /// https://www.sqlite.org/walformat.html#checksum_algorithm, over the words before it.
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

    /// How many frames may be in the database file: those that a checkpoint has begun to write, or, after the index was
    /// made again, all that there were.
    var attemptedFrame: UInt32 { unsafe fr_shared_word(header, Self.attemptWord) }

    /// The page that a frame holds; 0 if it is not known (https://www.sqlite.org/walformat.html, "WAL-Index Hash
    /// Tables").
    func page(ofFrame frame: UInt32) -> UInt32 {
        let inFirst = Self.framesInFirstRegion
        let (number, word) =
            frame <= inFirst
            ? (0, 34 + Int(frame) - 1)
            : (Int(frame - inFirst - 1) / 4096 + 1, Int(frame - inFirst - 1) % 4096)
        guard frame > 0, let region = unsafe number == 0 ? header : Self.region(number, of: file) else { return 0 }
        return unsafe fr_shared_word(region, word)
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
        guard unsafe map(file, Int32(number), 32_768, 0, &region) == SQLITE_OK else { return nil }
        return unsafe region
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

/// Parts of a word as they lie in memory, whatever the order of bytes.
extension UInt32 {
    fileprivate var firstByte: UInt8 { UInt8(truncatingIfNeeded: littleEndian == self ? self : self >> 24) }
    fileprivate var upperHalf: UInt16 { UInt16(truncatingIfNeeded: littleEndian == self ? self >> 16 : self) }
}

/// Why the log does not say which rows changed. What follows the database then reads it as a whole.
package enum Uncertainty: Int, Error, CaseIterable, Sendable {
    /// The schema, the page size or the mode of vacuuming changed.
    case layout = 0
    /// More changed than is worth comparing.
    case tooMany = 1
    /// The log was begun from its start again before its frames were read.
    case restarted = 2
    /// The pages do not fit together, or can't be read as SQLite's (encryption).
    case pages = 3
    /// The snapshot was released, or could not be taken.
    case snapshot = 4
    /// Another connection committed so close to a commit of this one that the two can't be separated.
    case raced = 5
    /// What a row showed before can't be read.
    case image = 6
}
