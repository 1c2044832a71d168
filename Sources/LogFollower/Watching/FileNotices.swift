internal import Glibc

/// Notices of the kernel that something was written to a database file, its log or its journal.
@safe
final class FileNotices {
    let descriptor: Int32
    private let folder: String
    private let names: Set<String>
    private let paths: [String]
    private var folderWatch: Int32 = -1

    /// nil if there are no notices: the file system has none, or the limit of the user is reached
    /// (/proc/sys/fs/inotify).
    init?(path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : "."
        let name = String(parts.last ?? "")
        names = [name, name + "-wal", name + "-journal"]
        paths = [path, path + "-wal", path + "-journal"]
        descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        folderWatch = watch(folder, UInt32(IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM))
        guard folderWatch >= 0, watchFiles() else {
            Glibc.close(descriptor)
            return nil
        }
    }

    deinit { Glibc.close(descriptor) }

    private func watch(_ path: String, _ events: UInt32) -> Int32 { unsafe inotify_add_watch(descriptor, path, events) }

    /// Watches the files that are there; false if the database is not.
    @discardableResult
    private func watchFiles() -> Bool {
        let watches = paths.map { watch($0, UInt32(IN_MODIFY)) }
        return watches[0] >= 0
    }

    /// Takes all notices; true if one is about these files.
    func take() -> Bool {
        var isConcerned = false
        var isFolderChanged = false
        unsafe withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
            while true {
                let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { break }
                var offset = 0
                while offset + MemoryLayout<inotify_event>.size <= count {
                    let event = unsafe buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let start = offset + MemoryLayout<inotify_event>.size
                    offset = start + Int(event.len)
                    guard event.wd == folderWatch, event.len > 0, offset <= count else {
                        // Of one of the files, or more than the queue holds.
                        isConcerned = true
                        continue
                    }
                    let name = unsafe buffer[start..<offset].prefix { $0 != 0 }
                    if names.contains(unsafe String(decoding: name, as: UTF8.self)) {
                        isConcerned = true
                        isFolderChanged = true
                    }
                }
            }
        }
        if isFolderChanged { watchFiles() }
        return isConcerned
    }
}
