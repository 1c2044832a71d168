internal import CSQLite
internal import Glibc
internal import SQLiteKit

/// Notices from the kernel that something was written to database files or their logs, or that a
/// file is no longer at its path. All watchers of the process share one instance of inotify,
/// because a user may have only some of them.
///
/// Each notice of a file has to be requested again: while it is known that a connection writes, the
/// kernel does not slow writes by more notices. A commit in a rollback mode writes the database
/// file as well, and keeps it locked until the journal is removed.
@safe
final class FileNotices: @unchecked Sendable {
    private let lock = Lock()

    // Guarded by the lock: the descriptor of the instance, -1 if there is none yet, and who
    // requested notices, by the kernel's number of what is watched.
    private var instance: Int32 = -1
    private var watchers: [Int32: [CommitWatcher]] = [:]

    deinit { if instance >= 0 { Glibc.close(instance) } }

    /// Readable when there is a notice; -1 if notices are unavailable.
    var descriptor: Int32 { lock.locked { instance } }

    /// A notice, for one of the watchers that requested it.
    struct Notice {
        let watcher: CommitWatcher
        /// Whether it may be about the place of a file.
        var isOfPlace: Bool
        /// Whether another process has opened a database.
        var isOfOpening: Bool
    }

    /// Requests a notice of the next write to a database file or its log, or of a change of the
    /// file's place. False if the kernel gives none: on some file systems, if there is no file at
    /// the path, or if a limit of the user is reached (/proc/sys/user).
    func ask(_ path: String, for watcher: CommitWatcher) -> Bool {
        lock.locked {
            guard open() else { return false }
            let isAsked = watch(path, IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF | Self.once, watcher)
            if !isAsked, errno == ENOENT, let folder = Self.folders(above: path).first {
                // Until there is a file, notices of all that are made in its folder.
                _ = watch(folder, IN_CREATE | IN_MOVED_TO | IN_MOVE_SELF | IN_DELETE_SELF, watcher)
            }
            // In a rollback mode there is no log.
            let isLogAsked = watch(path + "-wal", IN_MODIFY | Self.once, watcher) || errno == ENOENT
            // Whoever needs the file for itself opens it, and gives no notice while it waits.
            _ = watch(path + "-shm", IN_OPEN | Self.once, watcher)
            return isAsked && isLogAsked
        }
    }

    /// Requests notices of all changes of the place of the folders above a file.
    func askForFolders(above path: String, for watcher: CommitWatcher) {
        lock.locked {
            guard open() else { return }
            // A folder that the user may not read can't be watched. The file can.
            for folder in Self.folders(above: path) { _ = watch(folder, IN_MOVE_SELF | IN_DELETE_SELF, watcher) }
        }
    }

    private static var once: Int32 { Int32(bitPattern: UInt32(IN_ONESHOT)) }

    /// The user's limit may be reached for a while.
    private func open() -> Bool {
        if instance < 0 { instance = inotify_init1(O_NONBLOCK | O_CLOEXEC) }
        return instance >= 0
    }

    private func watch(_ path: String, _ events: Int32, _ watcher: CommitWatcher) -> Bool {
        let number = unsafe inotify_add_watch(instance, path, UInt32(bitPattern: events))
        guard number >= 0 else { return false }
        if watchers[number]?.contains(where: { $0 === watcher }) != true {
            watchers[number, default: []].append(watcher)
        }
        return true
    }

    /// Ends all notices for a watcher.
    func remove(_ watcher: CommitWatcher) {
        lock.locked {
            for (number, others) in watchers where others.contains(where: { $0 === watcher }) {
                let remaining = others.filter { $0 !== watcher }
                watchers[number] = remaining.isEmpty ? nil : remaining
                // Fails if the notice is on its way.
                if remaining.isEmpty { _ = inotify_rm_watch(instance, number) }
            }
        }
    }

    /// Takes all notices, and returns one for each watcher that requested any.
    func take() -> [Notice] {
        lock.locked {
            var noticed: [Notice] = []
            unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
                while instance >= 0 {
                    let count = unsafe read(instance, buffer.baseAddress, buffer.count)
                    guard count > 0 else { break }
                    var offset = 0
                    while offset + MemoryLayout<inotify_event>.size <= count {
                        let event = unsafe buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                        offset += MemoryLayout<inotify_event>.size + Int(event.len)
                        add(event, to: &noticed)
                    }
                }
            }
            return noticed
        }
    }

    private func add(_ event: inotify_event, to noticed: inout [Notice]) {
        // The kernel also reports that a notice was the last one.
        if event.mask & UInt32(IN_IGNORED) != 0 { return watchers[event.wd] = nil }
        // A number below 0 means that notices were dropped.
        let concerned = event.wd < 0 ? watchers.values.flatMap(\.self) : watchers[event.wd] ?? []
        let isOfOpening = event.mask & UInt32(IN_OPEN) != 0
        let isOfPlace = !isOfOpening && event.mask & UInt32(IN_MODIFY) == 0
        for watcher in concerned {
            if let index = noticed.firstIndex(where: { $0.watcher === watcher }) {
                if isOfPlace { noticed[index].isOfPlace = true }
                if isOfOpening { noticed[index].isOfOpening = true }
            } else {
                noticed.append(Notice(watcher: watcher, isOfPlace: isOfPlace, isOfOpening: isOfOpening))
            }
        }
    }

    /// The folders above an absolute path, without the root, which stays where it is.
    private static func folders(above path: String) -> [String] {
        var folders: [String] = []
        var folder = Substring(path)
        while let end = folder.lastIndex(of: "/"), end > folder.startIndex {
            folder = folder[..<end]
            folders.append(String(folder))
        }
        return folders
    }

    // MARK: File systems

    /// Whether the kernel sees all writes to a file, and so gives notice of them. It sees only its
    /// own ones if the file is on another machine, or in a program that provides a file system.
    static func containAllWrites(to path: String) -> Bool { !remoteFileSystems.contains(unsafe fr_file_system(path)) }

    /// By the numbers of https://man7.org/linux/man-pages/man2/statfs.2.html, and the numbers of
    /// the kernel's linux/magic.h and of virtual machines.
    private static let remoteFileSystems: Set<Int> = [
        0x6969,  // NFS
        0x517b, 0xff53_4d42, 0xfe53_4d42,  // SMB, CIFS, SMB2
        0x6573_5546,  // FUSE, and so SSHFS and virtiofs
        0x0102_1997,  // 9P
        0x00c3_6400,  // Ceph
        0x5346_414f, 0x6b41_4653,  // AFS
        0x7375_7245,  // Coda
        0x0bd0_0bd0,  // Lustre
        0x0116_1970, 0x7461_636f,  // GFS2, OCFS2
        0x786f_4256, 0xbacb_acbc,  // shared folders of VirtualBox and VMware
    ]
}
