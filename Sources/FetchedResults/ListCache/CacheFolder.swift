internal import Glibc
internal import SQLiteKit

/// The folder with the cached lists of one database. Only the process's user can write to it.
///
/// Everything in a folder to which other users can write may belong to them: another list, a link
/// to a file of the user's, a pipe that has no end. Such a folder is not used at all. In one that
/// is used everything is accessed through its descriptor. So it makes no difference what its path
/// refers to meanwhile, no link is followed, and nothing blocks.
final class CacheFolder {
    private let parent: Int32
    private let descriptor: Int32
    private let name: String

    /// Opens the folder `name` in `directory`, a path that may contain links; nil if there is none.
    init?(_ name: String, in directory: String, isMade: Bool = false) throws(StoreError) {
        if isMade { Self.makeDirectory(directory) }
        let parent = unsafe Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.failure("can't open", directory)
        }
        if isMade { unsafe mkdirat(parent, name, 0o700) }
        let descriptor = unsafe openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            close(parent)
            if code == ENOENT { return nil }
            throw Self.failure("can't open", "\(directory)/\(name)", code)
        }
        (self.parent, self.descriptor, self.name) = (parent, descriptor, name)
        guard Self.isSafeParent(parent) else { throw Self.isShared(directory) }
        guard Self.isOwn(descriptor, S_IFDIR) else { throw Self.isShared("\(directory)/\(name)") }
    }

    deinit {
        close(descriptor)
        close(parent)
    }

    private static func makeDirectory(_ path: String) {
        for end in path.indices where path[end] == "/" { unsafe mkdir(String(path[..<end]), 0o700) }
        unsafe mkdir(path, 0o700)
    }

    // MARK: Owners of files

    private static let othersCanWrite = S_IWGRP | S_IWOTH

    /// Whether other users can't replace the entries of a directory, as in one to which only the
    /// user or root can write, or in one like /tmp.
    private static func isSafeParent(_ descriptor: Int32) -> Bool {
        var info = stat()
        guard unsafe fstat(descriptor, &info) == 0, info.st_uid == geteuid() || info.st_uid == 0 else { return false }
        return info.st_mode & othersCanWrite == 0 || info.st_mode & S_ISVTX != 0
    }

    /// Whether an open file has a type, belongs to the user, and can't be written to by other
    /// users.
    private static func isOwn(_ descriptor: Int32, _ type: mode_t) -> Bool {
        var info = stat()
        return unsafe fstat(descriptor, &info) == 0 && isOwn(info, type) && info.st_mode & othersCanWrite == 0
    }

    private static func isOwn(_ info: stat, _ type: mode_t) -> Bool {
        info.st_mode & S_IFMT == type && info.st_uid == geteuid()
    }

    private static func isShared(_ path: String) -> StoreError {
        StoreError(.io, "other users can write to the directory \(path)")
    }

    // MARK: Files

    /// Opens a regular file of the user's; nil if there is none.
    func open(_ file: String, _ access: Int32) -> Int32? {
        let opened = unsafe openat(descriptor, file, access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        if Self.isOwn(opened, S_IFREG) { return opened }
        close(opened)
        return nil
    }

    /// Whether there is a file, or something else, of a name.
    func contains(_ file: String) -> Bool {
        var info = stat()
        return unsafe fstatat(descriptor, file, &info, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Creates a file for writing. Fails if there is one.
    func make(_ file: String) throws(StoreError) -> Int32 {
        let made = unsafe openat(descriptor, file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard made >= 0 else { throw Self.failure("can't create", file) }
        return made
    }

    /// Gives a file another name, which may exist already.
    func rename(_ file: String, to other: String) throws(StoreError) {
        guard unsafe renameat(descriptor, file, descriptor, other) == 0 else {
            throw Self.failure("can't replace", other)
        }
    }

    /// Deletes a regular file of the user's; a missing file, or something else of that name, is not
    /// an error.
    func delete(_ file: String) throws(StoreError) {
        var info = stat()
        guard unsafe fstatat(descriptor, file, &info, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return }
            throw Self.failure("can't delete", file)
        }
        guard Self.isOwn(info, S_IFREG) else { return }
        guard unsafe unlinkat(descriptor, file, 0) == 0 || errno == ENOENT else {
            throw Self.failure("can't delete", file)
        }
    }

    /// Deletes a file that is not complete; one that can't be deleted is left to the next start
    /// that writes.
    func discard(_ file: String) { unsafe unlinkat(descriptor, file, 0) }

    /// Deletes the folder if it is empty.
    func deleteIfEmpty() throws(StoreError) {
        guard unsafe unlinkat(parent, name, AT_REMOVEDIR) != 0, ![ENOTEMPTY, EEXIST, ENOENT].contains(errno) else {
            return
        }
        throw Self.failure("can't delete", name)
    }

    /// The names of everything in the folder.
    func names() throws(StoreError) -> [String] {
        let copy = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = unsafe fdopendir(copy) else {
            let failure = Self.failure("can't read", name)
            if copy >= 0 { close(copy) }
            throw failure
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            names.append(String(decoding: name, as: UTF8.self))
        }
        return names
    }

    static func failure(_ verb: String, _ path: String, _ code: Int32 = errno) -> StoreError {
        StoreError(.io, unsafe "\(verb) \(path): \(String(cString: strerror(code)))")
    }
}
