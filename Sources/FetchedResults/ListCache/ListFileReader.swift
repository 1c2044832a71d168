internal import Glibc
internal import SQLiteKit

/// The bytes of a list's file, read in the order in which they were written. Missing bytes throw
/// `Damaged`.
@safe final class ListFileReader {
    struct Damaged: Error {}

    private let bytes: UnsafeMutableRawBufferPointer
    private var offset = 0

    /// Reads the body of a file; nil if it is not what the header describes.
    init?(_ file: ListFile, _ header: ListFileHeader) {
        guard let length = Int(exactly: header.bodyLength), file.size == length + ListFileHeader.size else {
            return nil
        }
        unsafe bytes = .allocate(byteCount: max(length, 1), alignment: 16)
        guard unsafe Self.read(file, into: bytes) == header.bodyHash else { return nil }
    }

    deinit { unsafe bytes.deallocate() }

    /// Reads the body; returns its hash, or nil if there are not that many bytes.
    private static func read(_ file: ListFile, into bytes: UnsafeMutableRawBufferPointer) -> UInt64? {
        var hash: UInt64 = 0
        for start in stride(from: 0, to: bytes.count, by: ListFileWriter.chunkSize) {
            let chunk = unsafe UnsafeMutableRawBufferPointer(
                rebasing: bytes[start...].prefix(ListFileWriter.chunkSize))
            guard unsafe file.read(into: chunk, at: ListFileHeader.size + start) else { return nil }
            // While the chunk is in the processor's cache.
            hash = unsafe ListFileWriter.hash(KeyHash.checksum(UnsafeRawBufferPointer(chunk)), after: hash)
        }
        return hash
    }

    func number() throws(Damaged) -> UInt64 { unsafe try bytes(8).load(as: UInt64.self) }

    func integer() throws(Damaged) -> Int64 { Int64(bitPattern: try number()) }

    /// A count of elements, which can't be greater than the number of bytes.
    func count() throws(Damaged) -> Int {
        let number = try number()
        guard unsafe number <= UInt64(bytes.count) else { throw Damaged() }
        return Int(number)
    }

    /// A number of bytes that begin at a multiple of eight. Valid as long as the reader.
    func bytes(_ count: Int) throws(Damaged) -> UnsafeRawBufferPointer {
        let padded = (count + 7) & ~7
        guard count >= 0, unsafe padded <= bytes.count - offset else { throw Damaged() }
        defer { offset += padded }
        return unsafe UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    /// A number of values. Valid as long as the reader.
    func values<Value: FixedWidthInteger>(_ count: Int, of type: Value.Type) throws(Damaged) -> UnsafeBufferPointer<
        Value
    > {
        unsafe try bytes(count * MemoryLayout<Value>.size).assumingMemoryBound(to: Value.self)
    }

    var isAtEnd: Bool { unsafe offset == bytes.count }
}

/// An open file.
final class ListFile {
    private let descriptor: Int32

    /// nil if there is no file that may be used.
    init?(_ name: String, in folder: CacheFolder, isWritable: Bool = false) {
        guard let descriptor = folder.open(name, isWritable ? O_RDWR : O_RDONLY) else { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Takes the lock that a writer holds; false if there is one, or if the file system has no
    /// locks.
    func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    var size: Int { Int(lseek(descriptor, 0, SEEK_END)) }

    /// The header; nil if the file does not begin with one.
    var header: ListFileHeader? {
        var bytes = [UInt8](repeating: 0, count: ListFileHeader.size)
        return unsafe bytes.withUnsafeMutableBytes { unsafe read(into: $0, at: 0) } ? ListFileHeader(bytes: bytes) : nil
    }

    func setHeader(_ header: ListFileHeader) -> Bool {
        unsafe header.bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) == $0.count }
    }

    /// Fills a buffer; false if there are not that many bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer, at start: Int) -> Bool {
        var offset = 0
        while offset < buffer.count {
            let count = unsafe pread(
                descriptor, buffer.baseAddress.map { unsafe $0 + offset }, buffer.count - offset, off_t(start + offset))
            if count > 0 { offset += count } else if count == 0 || errno != EINTR { return false }
        }
        return true
    }
}
