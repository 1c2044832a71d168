internal import Glibc
internal import SQLiteKit

/// Writes a file beside its final place, and moves it there once it is complete, so that a file is
/// never read in part.
///
/// The file is locked as long as it is written. The lock distinguishes it from one whose writer was
/// killed.
///
/// Everything is written in multiples of eight bytes, so that readers can use it in place.
final class ListFileWriter {
    private let folder: CacheFolder
    private let name: String
    private let temporaryName: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var hash: UInt64 = 0
    private var length: UInt64 = 0
    /// Why the first write that failed did.
    private var failure: StoreError?

    /// The number of bytes that are hashed and written together.
    static let chunkSize = 1 << 18

    init(_ name: String, in folder: CacheFolder) throws(StoreError) {
        let temporaryName = Self.temporaryName(for: name)
        descriptor = try folder.make(temporaryName)
        self.folder = folder
        self.name = name
        self.temporaryName = temporaryName
        // Where the file system has no locks, nobody can take one and delete the file.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        buffer.reserveCapacity(Self.chunkSize)
        writeAll([UInt8](repeating: 0, count: ListFileHeader.size)[...])
    }

    deinit {
        // Without effect once the file is in its final place.
        folder.discard(temporaryName)
        close(descriptor)
    }

    private static func temporaryName(for name: String) -> String {
        let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        return name + "." + String(repeating: "0", count: temporaryDigits - digits.count) + digits
    }

    private static let temporaryDigits = 16

    /// Whether a name is one that `temporaryName` made for a name with a suffix.
    static func isTemporary(_ name: String, ofSuffix suffix: String) -> Bool {
        let digits = Set("0123456789abcdef")
        return name.dropLast(temporaryDigits).hasSuffix(suffix + ".")
            && name.suffix(temporaryDigits).allSatisfy(digits.contains)
    }

    func write(_ number: UInt64) { unsafe withUnsafeBytes(of: number) { unsafe write($0) } }

    func write(_ number: Int64) { write(UInt64(bitPattern: number)) }

    func write(_ count: Int) { write(UInt64(count)) }

    /// Writes bytes, and zeros up to the next multiple of eight.
    func write(_ bytes: UnsafeRawBufferPointer) {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let part = unsafe rest.prefix(Self.chunkSize - buffer.count)
            unsafe buffer.append(contentsOf: part)
            unsafe rest = unsafe rest[part.endIndex...]
            if buffer.count == Self.chunkSize { flush() }
        }
        let padding = (8 - bytes.count & 7) & 7
        for _ in 0..<padding { buffer.append(0) }
        if buffer.count == Self.chunkSize { flush() }
    }

    /// Ends the file and moves it to its final place. Returns its header.
    func finish(state: StateMark, signatureHash: UInt64) throws(StoreError) -> ListFileHeader {
        flush()
        if let failure { throw failure }
        let header = ListFileHeader(state: state, signatureHash: signatureHash, bodyHash: hash, bodyLength: length)
        let isWritten = unsafe header.bytes.withUnsafeBytes {
            unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) == $0.count
        }
        guard isWritten else { throw CacheFolder.failure("can't write", name) }
        try folder.rename(temporaryName, to: name)
        return header
    }

    private func flush() {
        guard !buffer.isEmpty else { return }
        hash = unsafe Self.hash(buffer.withUnsafeBytes { unsafe KeyHash.checksum($0) }, after: hash)
        length += UInt64(buffer.count)
        writeAll(buffer[...])
        buffer.removeAll(keepingCapacity: true)
    }

    private func writeAll(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty, failure == nil {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                failure = CacheFolder.failure("can't write", name)
            }
        }
    }

    /// The hash of several chunks, of which the last has the hash `hash`.
    static func hash(_ hash: UInt64, after previous: UInt64) -> UInt64 { (previous &* 0x9e37_79b9_7f4a_7c15) ^ hash }
}
