internal import Glibc

/// Remembers that a database file was found at its path, because searching the path costs a tenth
/// of a small commit.
///
/// The kernel sets a file's time of change (`st_ctime`) when the file is moved, replaced or
/// removed, and when it is written, which in WAL mode only checkpoints do. As long as that time
/// stays, the file is still at its path, unless a folder above was moved. So the path is searched
/// again after 0.1 seconds at the latest.
final class FilePresence {
    private let descriptor: BorrowedDescriptor
    /// When the file was changed, as seen before it was last found; nil if a later change could
    /// have the same time.
    private var change: timespec?
    private var foundAt = timespec()

    /// nil if the process has not opened the file.
    init?(path: String) {
        guard let descriptor = BorrowedDescriptor(path: path) else { return nil }
        self.descriptor = descriptor
    }

    /// Whether the file is at its path, which `search` finds out.
    func isPresent(search: () -> Bool) -> Bool {
        let now = Self.time(CLOCK_MONOTONIC_COARSE)
        let clock = Self.time(CLOCK_REALTIME_COARSE)
        let newest = changeTime
        if let change, let newest, Self.isSame(change, newest), Self.isSoon(now, after: foundAt) { return true }
        change = nil
        guard search() else { return false }
        // Changes in one tick of the kernel's clock have the same time.
        if let newest, Self.isBefore(newest, clock) { change = newest }
        foundAt = now
        return true
    }

    /// nil if the file was removed, or if its descriptor was closed.
    private var changeTime: timespec? {
        guard let status = descriptor.status, status.st_nlink > 0 else { return nil }
        return status.st_ctim
    }

    private static func time(_ clock: Int32) -> timespec {
        var time = timespec()
        // Fails only for clocks that do not exist.
        unsafe clock_gettime(clock, &time)
        return time
    }

    private static func isSame(_ a: timespec, _ b: timespec) -> Bool { a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec }

    private static func isBefore(_ a: timespec, _ b: timespec) -> Bool {
        a.tv_sec < b.tv_sec || a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec
    }

    private static func isSoon(_ a: timespec, after b: timespec) -> Bool {
        (a.tv_sec - b.tv_sec) * 1_000_000_000 + a.tv_nsec - b.tv_nsec < 100_000_000
    }
}
