internal import CSQLite
internal import Glibc

/// A file descriptor that becomes readable when there is something to dispatch, and stays readable
/// until that is dispatched.
package final class WakeUp: @unchecked Sendable {
    /// The descriptor of a counter (https://man7.org/linux/man-pages/man2/eventfd.2.html).
    package let descriptor: Int32

    /// nil if the process has no descriptors left.
    package init?() {
        descriptor = fr_eventfd()
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Makes the descriptor readable. Any thread. A counter that has reached its maximum is
    /// readable already.
    package func signal() {
        var one: UInt64 = 1
        while unsafe write(descriptor, &one, MemoryLayout<UInt64>.size) < 0, errno == EINTR {}
    }

    /// Makes the descriptor unreadable again, if it is readable.
    package func clear() {
        var count: UInt64 = 0
        while unsafe read(descriptor, &count, MemoryLayout<UInt64>.size) < 0, errno == EINTR {}
    }

    /// Waits until the descriptor is readable, or for this number of milliseconds, without a limit
    /// if it is negative. A signal handler that returns does not end the wait: poll is called again
    /// for the remaining time.
    package func wait(milliseconds: Int32) { Self.wait(for: descriptor, milliseconds: milliseconds) }

    /// The same for any descriptor.
    package static func wait(for descriptor: Int32, milliseconds: Int32) {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let start = now
        var remaining = milliseconds
        while unsafe poll(&request, 1, remaining) < 0, errno == EINTR {
            guard milliseconds >= 0 else { continue }
            let rest = Int64(milliseconds) * 1_000_000 - (now - start)
            // Rounded up, so that the wait is never shorter than requested.
            remaining = Int32(clamping: max(0, (rest + 999_999) / 1_000_000))
        }
    }

    /// Waits without sleeping.
    static func spin(nanoseconds: Int) {
        let end = now + Int64(nanoseconds)
        while now < end {}
    }

    /// Nanoseconds of a clock that can't be set.
    package static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
