internal import CSQLite
internal import Glibc

/// Joins the header of each frame of a write-ahead log to the page behind it, so that both are
/// written by one call (https://www.sqlite.org/fileformat.html#wal_file_format).
///
/// SQLite writes a header and then its page. A header waits for its page only if it continues what
/// was written before it. SQLite also writes headers alone, when a transaction has overwritten
/// frames of its own and their checksums are computed again before its commit
/// (`walRewriteChecksums` in wal.c). It reads each of these frames first, and none of them
/// continues the last write.
///
/// Safe except for the bytes that are passed: it owns its memory.
@safe struct FrameJoiner: ~Copyable {
    /// Writes bytes at an offset. Returns a code of SQLite.
    typealias Write = (UnsafeRawPointer, _ count: Int32, _ offset: Int64) -> Int32

    private typealias Header = (UInt64, UInt64, UInt64)
    private static var headerCount: Int32 { Int32(MemoryLayout<Header>.size) }

    /// The header that waits, and its offset.
    private var waiting: (header: Header, offset: Int64)?
    /// Where the last write ended; -1 before the first one, and after one that failed.
    private var end: Int64 = -1
    /// Where the last read began.
    private var readOffset: Int64 = -1
    /// A frame is put together here.
    private var frame: UnsafeMutableRawPointer?
    private var capacity: Int32 = 0

    init() { unsafe frame = nil }

    deinit { unsafe free(frame) }

    /// Writes bytes, or retains them until the page follows.
    @unsafe mutating func write(
        _ bytes: UnsafeRawPointer, _ count: Int32, at offset: Int64, through write: Write
    ) -> Int32 {
        if let (header, start) = waiting {
            if offset == start + Int64(Self.headerCount), reserve(Self.headerCount + count), let frame = unsafe frame {
                waiting = nil
                unsafe frame.storeBytes(of: header, as: Header.self)
                unsafe (frame + Int(Self.headerCount)).copyMemory(from: bytes, byteCount: Int(count))
                return unsafe note(write(frame, Self.headerCount + count, start), end: offset + Int64(count))
            }
            let code = unsafe flush(through: write)
            if code != SQLITE_OK { return code }
        }
        if count == Self.headerCount, offset == end, offset != readOffset {
            unsafe waiting = (bytes.loadUnaligned(as: Header.self), offset)
            return SQLITE_OK
        }
        return unsafe note(write(bytes, count, offset), end: offset + Int64(count))
    }

    /// Writes the header that waits. To be called before anything but a write.
    @unsafe mutating func flush(through write: Write) -> Int32 {
        guard let (header, offset) = waiting else { return SQLITE_OK }
        waiting = nil
        let code = unsafe withUnsafeBytes(of: header) { bytes in
            unsafe bytes.baseAddress.map { unsafe write($0, Self.headerCount, offset) } ?? SQLITE_OK
        }
        return note(code, end: offset + Int64(Self.headerCount))
    }

    /// Notes where a read begins.
    mutating func noteRead(at offset: Int64) { readOffset = offset }

    private mutating func note(_ code: Int32, end: Int64) -> Int32 {
        self.end = code == SQLITE_OK ? end : -1
        return code
    }

    /// Makes room for a frame; false if there is no memory.
    private mutating func reserve(_ count: Int32) -> Bool {
        if count <= capacity { return true }
        guard let larger = unsafe realloc(frame, Int(count)) else { return false }
        unsafe frame = larger
        capacity = count
        return true
    }
}
