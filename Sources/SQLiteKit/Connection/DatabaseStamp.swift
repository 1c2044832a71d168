internal import Glibc

/// Distinguishes one committed state of a database file from any later one, across processes and
/// restarts, without reading it. A commit writes to the file, or to the write-ahead log beside it,
/// and so changes what the file system records of these.
///
/// A transaction writes to the log before other connections see it. So only the holder of the write
/// lock can be sure that a stamp shows the visible state; anyone may compare stamps.
package struct DatabaseStamp: Equatable, Sendable {
    /// The file system's record of a file; all zero for one that is missing or empty.
    struct FileStamp: Equatable, Sendable {
        var inode: UInt64 = 0
        var size: Int64 = 0
        /// The time of the last write of its content, in nanoseconds since 1970.
        var modified: Int64 = 0
        /// The time of its last change of any kind, which programs can't set back.
        var changed: Int64 = 0

        init() {}

        init(path: String) {
            var info = stat()
            guard unsafe stat(path, &info) == 0, info.st_size > 0 else { return }
            inode = UInt64(info.st_ino)
            size = Int64(info.st_size)
            modified = Self.nanoseconds(info.st_mtim)
            changed = Self.nanoseconds(info.st_ctim)
        }

        static func nanoseconds(_ time: timespec) -> Int64 {
            Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
        }

        var isMissing: Bool { self == FileStamp() }
    }

    private let database: FileStamp
    private let log: FileStamp
    /// A hash of the id that the kernel generated when it started.
    private let boot: UInt64
    /// Whether the database file contains everything that is in the log, which may then be removed.
    package var isCheckpointed = false
    /// Whether the database file is on the disk as the file system shows it. After a loss of power
    /// other files may have times that do not match their content.
    package var isSynced = false

    /// Whether the log has any content.
    package var hasLog: Bool { !log.isMissing }

    /// The stamp of a database file now; nil if there is none.
    package init?(path: String) {
        database = FileStamp(path: path)
        var log = FileStamp(path: path + "-wal")
        // SQLite changes the log's owner to the database's whenever root opens it.
        log.changed = 0
        self.log = log
        boot = Self.currentBoot
        if database.isMissing { return nil }
    }

    /// Whether a database with this stamp is in the state of an earlier stamp.
    package func isState(of earlier: DatabaseStamp) -> Bool {
        let needsNoLog = log.isMissing && (earlier.log.isMissing || earlier.isCheckpointed)
        return database == earlier.database && (log == earlier.log || needsNoLog)
            && (boot == earlier.boot || needsNoLog && earlier.isSynced)
    }

    /// Whether the database file is the same as in an earlier state, of which it contained
    /// everything.
    package func hasSameFile(asWhole earlier: DatabaseStamp) -> Bool {
        database == earlier.database && (earlier.log.isMissing || earlier.isCheckpointed)
            && (boot == earlier.boot || earlier.isSynced)
    }

    private static let currentBoot: UInt64 = {
        var bytes = [UInt8](repeating: 0, count: 64)
        let descriptor = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        let count = unsafe read(descriptor, &bytes, bytes.count)
        return unsafe bytes.prefix(max(0, count)).withUnsafeBytes { unsafe KeyHash.hash64($0) }
    }()

    // MARK: Time

    /// Whether every write from now on changes the stamp: times of files advance in ticks, and two
    /// writes of one tick look alike. Waits for the end of the tick, a few milliseconds at most;
    /// false if the times do not agree with the clock.
    package var isSettled: Bool {
        // File systems whose times are whole seconds.
        let latest = max(database.modified, database.changed, log.modified, log.changed)
        if latest % 1_000_000_000 == 0 { return latest < Self.tick - 2_000_000_000 }
        for _ in 0..<Self.longestTick {
            if latest < Self.tick { return true }
            usleep(1000)
        }
        return false
    }

    /// In milliseconds; Linux's is ten at most.
    private static var longestTick: Int { 20 }

    /// The time that a file written now would get.
    private static var tick: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return FileStamp.nanoseconds(time)
    }

    // MARK: Bytes

    /// The stamp as numbers, from which `init(numbers:)` restores it.
    package var numbers: [UInt64] { database.numbers + log.numbers + [boot, isCheckpointed ? 1 : 0, isSynced ? 1 : 0] }

    package static let numberCount = 2 * FileStamp.numberCount + 3

    /// Reads `numberCount` of them.
    package init(numbers: [UInt64]) {
        precondition(numbers.count == Self.numberCount, "not the numbers of a stamp")
        database = FileStamp(numbers: numbers[0...])
        log = FileStamp(numbers: numbers[FileStamp.numberCount...])
        boot = numbers[2 * FileStamp.numberCount]
        isCheckpointed = numbers[2 * FileStamp.numberCount + 1] == 1
        isSynced = numbers[2 * FileStamp.numberCount + 2] == 1
    }
}

extension DatabaseStamp.FileStamp {
    static let numberCount = 4

    var numbers: [UInt64] {
        [inode, UInt64(bitPattern: size), UInt64(bitPattern: modified), UInt64(bitPattern: changed)]
    }

    init(numbers: ArraySlice<UInt64>) {
        let start = numbers.startIndex
        inode = numbers[start]
        size = Int64(bitPattern: numbers[start + 1])
        modified = Int64(bitPattern: numbers[start + 2])
        changed = Int64(bitPattern: numbers[start + 3])
    }
}
