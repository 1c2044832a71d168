internal import Glibc

/// Notices from the kernel that something was written to database files or their logs.
///
/// Each notice has to be requested again: while it is known that a connection writes, the kernel
/// does not slow writes by more notices. A commit in a rollback mode writes the database file as
/// well, and keeps it locked until the journal is removed.
@safe
final class FileNotices {
    let descriptor: Int32
    private let databases: [(path: String, log: String)]

    /// nil if notices are unavailable: the limit of the user is reached (/proc/sys/fs/inotify), or
    /// the process has no descriptors left.
    init?(paths: [String]) {
        databases = paths.map { ($0, $0 + "-wal") }
        descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit { Glibc.close(descriptor) }

    /// Requests a notice of the next write to each file; false if the kernel gives none, as on some
    /// file systems.
    func ask() -> Bool {
        var isNoticed = true
        for database in databases {
            if !ask(database.path) { isNoticed = false }
            // In a rollback mode there is no log.
            if !ask(database.log), errno != ENOENT { isNoticed = false }
        }
        return isNoticed
    }

    private func ask(_ path: String) -> Bool {
        unsafe inotify_add_watch(descriptor, path, UInt32(IN_MODIFY) | UInt32(IN_ONESHOT)) >= 0
    }

    /// Takes all notices; false if there was none.
    func take() -> Bool {
        var isWritten = false
        unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while true {
                let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { break }
                var offset = 0
                while offset + MemoryLayout<inotify_event>.size <= count {
                    let event = unsafe buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    offset += MemoryLayout<inotify_event>.size + Int(event.len)
                    // The kernel also reports that a notice was the last one.
                    if event.mask & UInt32(IN_IGNORED) == 0 { isWritten = true }
                }
            }
        }
        return isWritten
    }
}
