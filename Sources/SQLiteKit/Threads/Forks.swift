internal import Glibc

/// Counts the forks on the way to this process, so that what was made before a fork is not used
/// after it.
///
/// The child has copies of all memory, but of the threads only the one that forked. Locks that
/// other threads held are never released there, threads never end, and SQLite's connections must
/// not be used (https://www.sqlite.org/howtocorrupt.html).
package enum Forks {
    nonisolated(unsafe) private static var forks: UInt32 = 0
    // Without memory for the handler, which is the only failure, forks are not detected.
    private static let isCounting = pthread_atfork(nil, nil) { unsafe forks &+= 1 } == 0

    /// How many there were so far.
    @inline(__always) package static var count: UInt32 { unsafe forks }

    /// The same, where something is made that notes it.
    package static func counted() -> UInt32 {
        _ = isCounting
        return count
    }
}
