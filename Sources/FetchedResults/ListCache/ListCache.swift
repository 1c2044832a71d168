internal import Glibc
internal import SQLiteKit

/// The lists of one database that are kept for a later start, in files by their names.
///
/// A file tells of which state of the database its list is, and is of use as long as the database is in that state. What
/// can't be read, written or understood is as if it were not there.
final class ListCache {
    /// A file that this store has read or written.
    private struct Known {
        var stamp: DatabaseStamp
        let bodyHash: UInt64
    }

    /// The database's own folder.
    private let folder: String
    private var known: [String: Known] = [:]

    /// The database's path, without links.
    let database: String

    /// nil if there is no place for it. `directory` is nil for the user's own (the XDG Base Directory Specification's
    /// `$XDG_CACHE_HOME`).
    init?(database path: String, directory: String?) {
        guard let directory = directory ?? Self.usersDirectory, !directory.isEmpty, let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        database = String(cString: resolved)
        var hash = String(Array(database.utf8).withUnsafeBytes { KeyHash.hash64($0) }, radix: 16)
        hash = String(repeating: "0", count: 16 - hash.count) + hash
        folder = "\(directory)/\(Self.fileName(String(database.split(separator: "/").last ?? "")))-\(hash)"
    }

    private static var usersDirectory: String? {
        func path(_ variable: String) -> String? {
            // A relative path is to be ignored.
            getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        return (path("XDG_CACHE_HOME") ?? path("HOME").map { $0 + "/.cache" }).map { $0 + "/fetchedresults" }
    }

    /// A name as that of a file: letters, digits, "-" and "_", all other bytes as "%" and two hexadecimal digits. Of a long
    /// name the end is replaced by a hash.
    private static func fileName(_ name: String) -> String {
        var result = ""
        for byte in name.utf8 {
            switch UInt8(byte) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        guard result.utf8.count > 150 else { return result }
        return result.prefix(120) + "%" + String(Array(name.utf8).withUnsafeBytes { KeyHash.hash64($0) }, radix: 16)
    }

    private func path(_ name: String) -> String { "\(folder)/\(Self.fileName(name))\(Self.suffix)" }

    private static let suffix = ".list"

    // MARK: Reading

    /// What is kept under a name, if it is of a state and has a signature: behind the signature.
    func read(_ name: String, _ signature: ListSignature, _ stamp: DatabaseStamp) -> ListFileReader? {
        guard let (file, header) = open(name, signature, stamp), let reader = ListFileReader(file, header) else { return nil }
        guard let count = try? reader.count(), let bytes = try? reader.bytes(count), bytes.elementsEqual(signature.bytes) else {
            return nil
        }
        known[name] = Known(stamp: header.stamp, bodyHash: header.bodyHash)
        return reader
    }

    /// Whether something is kept under a name that seems to be of a state and to have a signature.
    func mayHave(_ name: String, _ signature: ListSignature, _ stamp: DatabaseStamp) -> Bool {
        open(name, signature, stamp) != nil
    }

    private func open(
        _ name: String, _ signature: ListSignature, _ stamp: DatabaseStamp
    ) -> (file: ListFile, header: ListFileHeader)? {
        guard let file = ListFile(path: path(name)), let header = file.header, header.signatureHash == signature.hash,
            stamp.isState(of: header.stamp)
        else { return nil }
        return (file, header)
    }

    // MARK: Writing

    /// Keeps what `body` writes; true if that succeeded.
    func write(_ name: String, _ signature: ListSignature, _ stamp: DatabaseStamp, _ body: (ListFileWriter) -> Void) -> Bool {
        makeFolder()
        guard let writer = ListFileWriter(path: path(name)) else { return false }
        writer.write(signature.bytes.count)
        signature.bytes.withUnsafeBytes { writer.write($0) }
        body(writer)
        guard let header = writer.finish(stamp: stamp, signatureHash: signature.hash) else { return false }
        known[name] = Known(stamp: stamp, bodyHash: header.bodyHash)
        return true
    }

    /// Notes that the list under a name, which this store read or wrote, is also that of another state.
    func restamp(_ name: String, _ stamp: DatabaseStamp) {
        guard let entry = known[name], entry.stamp != stamp else { return }
        // Someone else may have put another list there.
        guard let file = ListFile(path: path(name), isWritable: true), var header = file.header, header.bodyHash == entry.bodyHash
        else { return }
        header.stamp = stamp
        if file.setHeader(header) { known[name]?.stamp = stamp }
    }

    /// Notes that all lists of a state are also those of another.
    func restampAll(of old: DatabaseStamp, _ new: DatabaseStamp) {
        for (name, entry) in known where old.isState(of: entry.stamp) { restamp(name, new) }
    }

    /// Whether this store read or wrote anything.
    var isUsed: Bool { !known.isEmpty }

    private func makeFolder() {
        for end in folder.indices where folder[end] == "/" { mkdir(String(folder[..<end]), 0o700) }
        mkdir(folder, 0o700)
    }

    // MARK: Deleting

    /// Deletes what is kept under a name.
    func delete(_ name: String) throws(StoreError) {
        known[name] = nil
        try remove(path(name))
    }

    /// Deletes everything that is kept of the database.
    func deleteAll() throws(StoreError) {
        known = [:]
        guard let directory = opendir(folder) else {
            guard errno == ENOENT else { throw Self.failure(folder) }
            return
        }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            // With what was left of files that did not become whole.
            if name != ".", name != ".." { try remove("\(folder)/\(name)") }
        }
        rmdir(folder)
    }

    private func remove(_ path: String) throws(StoreError) {
        guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw Self.failure(path) }
    }

    private static func failure(_ path: String) -> StoreError {
        StoreError(.io, "can't delete \(path): \(String(cString: strerror(errno)))")
    }
}
