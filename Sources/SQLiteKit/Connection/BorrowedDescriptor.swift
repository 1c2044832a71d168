internal import Glibc

/// A descriptor of a file that this process has open, as SQLite's connections do. It belongs to
/// whoever opened the file, and is looked at only: closing another descriptor would release the
/// locks that the process has on the file (https://www.sqlite.org/howtocorrupt.html, "Posix
/// advisory locks canceled").
package struct BorrowedDescriptor: Sendable {
    package let number: Int32
    private let file: (device: dev_t, inode: ino_t)

    /// nil if the process has not opened the file at the path.
    ///
    /// /proc/self/fd has all descriptors, but a process that has changed its user may not read it.
    package init?(path: String) {
        var wanted = stat()
        var limit = rlimit()
        guard unsafe stat(path, &wanted) == 0,
            unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        else { return nil }
        file = (wanted.st_dev, wanted.st_ino)
        // SQLite uses none of the standard ones.
        for number in 3..<max(3, Int32(clamping: limit.rlim_cur)) where Self.status(of: number, file) != nil {
            self.number = number
            return
        }
        return nil
    }

    /// nil if the descriptor was closed, and now may belong to another file.
    var status: stat? { Self.status(of: number, file) }

    package var isOpen: Bool { status != nil }

    private static func status(of number: Int32, _ file: (device: dev_t, inode: ino_t)) -> stat? {
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_ino == file.inode, status.st_dev == file.device else {
            return nil
        }
        return status
    }
}
