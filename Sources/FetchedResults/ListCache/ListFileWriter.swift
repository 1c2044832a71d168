internal import Glibc
internal import SQLiteKit

/// Writes a file beside its final place, where it is put once it is whole, so that nobody ever reads half of one.
///
/// Everything is written in multiples of eight bytes, which readers can so take as they lie.
final class ListFileWriter {
    private let path: String
    private let temporaryPath: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var hash: UInt64 = 0
    private var length: UInt64 = 0
    private var hasFailed = false

    /// How many bytes are hashed and written at once.
    static let chunkSize = 1 << 20

    /// nil if there can't be such a file.
    init?(path: String) {
        self.path = path
        var template = Array((path + ".XXXXXX").utf8CString)
        descriptor = mkstemp(&template)
        temporaryPath = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        buffer.reserveCapacity(Self.chunkSize)
        writeAll([UInt8](repeating: 0, count: ListFileHeader.size)[...])
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(temporaryPath)
    }

    func write(_ number: UInt64) { withUnsafeBytes(of: number) { write($0) } }

    func write(_ number: Int64) { write(UInt64(bitPattern: number)) }

    func write(_ count: Int) { write(UInt64(count)) }

    /// Writes bytes, and zeros up to the next multiple of eight.
    func write(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.chunkSize - buffer.count)
            buffer.append(contentsOf: part)
            rest = rest[part.endIndex...]
            if buffer.count == Self.chunkSize { flush() }
        }
        let padding = (8 - bytes.count & 7) & 7
        for _ in 0..<padding { buffer.append(0) }
        if buffer.count == Self.chunkSize { flush() }
    }

    /// Ends the file and puts it into its place; nil if that fails. Answers its header.
    func finish(stamp: DatabaseStamp, signatureHash: UInt64) -> ListFileHeader? {
        flush()
        let header = ListFileHeader(stamp: stamp, signatureHash: signatureHash, bodyHash: hash, bodyLength: length)
        let isWritten = header.bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) == $0.count }
        guard !hasFailed, isWritten, rename(temporaryPath, path) == 0 else { return nil }
        return header
    }

    private func flush() {
        guard !buffer.isEmpty else { return }
        hash = Self.hash(buffer.withUnsafeBytes { KeyHash.hash64($0) }, after: hash)
        length += UInt64(buffer.count)
        writeAll(buffer[...])
        buffer.removeAll(keepingCapacity: true)
    }

    private func writeAll(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty, !hasFailed {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { hasFailed = true }
        }
    }

    /// The hash of chunks, of which the last is `hash` by itself.
    static func hash(_ hash: UInt64, after previous: UInt64) -> UInt64 { (previous &* 0x9e37_79b9_7f4a_7c15) ^ hash }
}
