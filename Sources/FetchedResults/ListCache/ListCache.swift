internal import Glibc
internal import SQLiteKit

/// The lists of one database that are cached for a later start, in files by their names.
///
/// A file names the state of the database to which its list belongs. It is used as long as the
/// database is in that state, or if it is known which rows have changed since. A file that can't be
/// read or understood counts as missing. So does every file in a folder to which other users can
/// write.
final class ListCache {
    /// The contents of a file, except the state of the database.
    struct Contents: Equatable {
        let signatureHash: UInt64
        let bodyHash: UInt64
    }

    /// The directory, which may have lists of several databases, and the name of the database's own
    /// folder in it.
    private let place: (directory: String, folder: String)
    /// The headers of the files that this store has read or written.
    private var known: [String: ListFileHeader] = [:]
    private var hasCleanedUp = false

    /// The database's path, without links.
    let database: String

    /// nil if there is no place for it. `directory` is nil for the user's own (the XDG Base
    /// Directory Specification's `$XDG_CACHE_HOME`).
    init?(database path: String, directory: String?) {
        guard let directory = (directory ?? Self.usersDirectory).flatMap(Self.absolute), !directory.isEmpty,
            let database = Self.withoutLinks(path)
        else { return nil }
        self.database = database
        var hash = unsafe String(Array(database.utf8).withUnsafeBytes { unsafe KeyHash.hash64($0) }, radix: 16)
        hash = String(repeating: "0", count: 16 - hash.count) + hash
        place = (directory, "\(Self.fileName(String(database.split(separator: "/").last ?? "")))-\(hash)")
    }

    /// A path without links; nil if even its directory is missing. The file itself may be: its
    /// lists can have outlived it.
    private static func withoutLinks(_ path: String) -> String? {
        if let path = resolved(path) { return path }
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let start = slash.map { path.utf8.index(after: $0) } ?? path.startIndex
        let (directory, name) = (path[..<start], path[start...])
        guard !name.isEmpty, let resolved = resolved(directory.isEmpty ? "." : String(directory)) else { return nil }
        return resolved == "/" ? "/\(name)" : "\(resolved)/\(name)"
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// A path that stays the same when the process changes its directory; nil without a directory.
    private static func absolute(_ path: String) -> String? {
        if path.isEmpty || path.hasPrefix("/") { return path }
        guard let current = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(current) }
        return unsafe String(cString: current) + "/" + path
    }

    private static var usersDirectory: String? {
        func path(_ variable: String) -> String? {
            // A relative path is to be ignored.
            unsafe getenv(variable).map { unsafe String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        return (path("XDG_CACHE_HOME") ?? path("HOME").map { $0 + "/.cache" }).map { $0 + "/fetchedresults" }
    }

    /// A name as a file's name: letters, digits, "-" and "_", all other bytes as "%" and two
    /// hexadecimal digits. The end of a long name is replaced by a hash.
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
        return unsafe result.prefix(120) + "%"
            + String(Array(name.utf8).withUnsafeBytes { unsafe KeyHash.hash64($0) }, radix: 16)
    }

    private static func listName(_ name: String) -> String { fileName(name) + suffix }

    private static let suffix = ".list"

    /// The database's folder; nil if there is none.
    private func folder(isMade: Bool = false) throws(StoreError) -> CacheFolder? {
        try CacheFolder(place.folder, in: place.directory, isMade: isMade)
    }

    // A file that can't be opened or read is as none: the list is then read from the database, and
    // nothing is lost.

    // MARK: Reading

    /// The list that is cached under a name, if it has a signature: its state, and the data after
    /// the signature.
    func read(_ name: String, _ signature: ListSignature) -> (state: StateMark, reader: ListFileReader)? {
        guard let (file, header) = open(name, signature), let reader = ListFileReader(file, header) else {
            return nil
        }
        guard let count = try? reader.count(), let bytes = unsafe try? reader.bytes(count),
            unsafe bytes.elementsEqual(signature.bytes)
        else {
            return nil
        }
        known[name] = header
        return (header.state, reader)
    }

    /// The state of the file that seems to have a signature under a name; nil if there is none.
    func state(of name: String, _ signature: ListSignature) -> StateMark? { open(name, signature)?.header.state }

    private func open(_ name: String, _ signature: ListSignature) -> (file: ListFile, header: ListFileHeader)? {
        guard let folder = try? folder(), let file = ListFile(Self.listName(name), in: folder),
            let header = file.header, header.signatureHash == signature.hash
        else { return nil }
        return (file, header)
    }

    // MARK: Writing

    /// Caches the output of `body`.
    func write(
        _ name: String, _ signature: ListSignature, _ state: StateMark, _ body: (ListFileWriter) -> Void
    ) throws(StoreError) -> Contents {
        guard let folder = try folder(isMade: true) else {
            throw StoreError(.io, "can't make the directory \(place.directory)/\(place.folder)")
        }
        if !hasCleanedUp { deleteUnfinished(in: folder) }
        hasCleanedUp = true
        let writer = try ListFileWriter(Self.listName(name), in: folder)
        writer.write(signature.bytes.count)
        unsafe signature.bytes.withUnsafeBytes { unsafe writer.write($0) }
        body(writer)
        let header = try writer.finish(state: state, signatureHash: signature.hash)
        known[name] = header
        return header.contents
    }

    /// The contents that were last read or written under a name.
    func contents(of name: String) -> Contents? { known[name]?.contents }

    /// Notes that the file under a name also has the list of another state; false if there is
    /// another file now, or if the file can't be opened. A missing file was deleted, and is not
    /// written again.
    func restamp(_ name: String, _ contents: Contents, _ state: StateMark) throws(StoreError) -> Bool {
        if let known = known[name], known.state == state, known.contents == contents { return true }
        guard let folder = try folder(), folder.contains(Self.listName(name)) else { return true }
        guard let file = ListFile(Self.listName(name), in: folder, isWritable: true), var header = file.header,
            header.contents == contents
        else { return false }
        header.state = state
        guard file.setHeader(header) else { throw CacheFolder.failure("can't write", name) }
        known[name] = header
        return true
    }

    /// The lists of a state, by the names of their files.
    func lists(of state: StateMark) -> [String: Contents] {
        known.filter { state.stamp.isState(of: $0.value.state.stamp) }.mapValues(\.contents)
    }

    /// Whether this store has read or written anything.
    var isUsed: Bool { !known.isEmpty }

    // MARK: Deleting

    /// Deletes the list that is cached under a name.
    func delete(_ name: String) throws(StoreError) {
        try folder()?.delete(Self.listName(name))
        known[name] = nil
    }

    /// Deletes all cached lists of the database. Files that the library did not make stay.
    func deleteAll() throws(StoreError) {
        defer { known = [:] }
        guard let folder = try folder() else { return }
        for name in try folder.names() where name.hasSuffix(Self.suffix) { try folder.delete(name) }
        deleteUnfinished(in: folder)
        try folder.deleteIfEmpty()
    }

    /// Deletes files whose writers were killed before the files were complete. The writer of a file
    /// holds its lock. If the folder can't be read, they wait for the next time.
    private func deleteUnfinished(in folder: CacheFolder) {
        for name in (try? folder.names()) ?? [] where ListFileWriter.isTemporary(name, ofSuffix: Self.suffix) {
            if let file = ListFile(name, in: folder), file.lock() { folder.discard(name) }
        }
    }
}
