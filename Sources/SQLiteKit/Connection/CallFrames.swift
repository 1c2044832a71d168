internal import Glibc

/// The stack frames of calls that are under way and call functions of the program.
///
/// Such a function has to return. One that ends by longjmp, or by a C++ exception, leaves the library's frames behind in the
/// middle of their work, and Swift has no means to clean up after them. The next look at the frames finds that: a frame is
/// dead if the stack is shorter than it was, or if what the frame holds on the stack was overwritten.
package struct CallFrames {
    private var entries: [(mark: Mark, thread: pthread_t)] = []

    private static let markCount = 8
    private static let pattern: UInt64 = 0x5eed_ca11_0123_4567

    package init() {}

    /// What a frame holds on the stack.
    package typealias Mark = UnsafeMutablePointer<UInt64>

    /// Runs `body` in a frame whose mark goes to `enter` first, and to `leave` at the end.
    @inline(__always)
    package static func marking<Result>(
        enter: (Mark) throws -> Void, leave: (Mark) -> Void, _ body: () throws -> Result
    ) rethrows -> Result {
        try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: markCount) { mark in
            // An allocation of eight numbers has an address.
            guard let base = mark.baseAddress else { return try body() }
            mark.initialize(repeating: pattern)
            try enter(base)
            defer { leave(base) }
            return try body()
        }
    }

    package mutating func insert(_ mark: Mark) { entries.append((mark, pthread_self())) }

    package mutating func remove(_ mark: Mark) {
        if let index = entries.lastIndex(where: { $0.mark == mark }) { entries.remove(at: index) }
    }

    package mutating func removeAll() { entries = [] }

    package mutating func formUnion(_ other: CallFrames) { entries += other.entries }

    /// Whether a call of this thread never returned.
    package var areAbandoned: Bool {
        let thread = pthread_self()
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 1) { here in
            entries.contains { entry in
                guard pthread_equal(entry.thread, thread) != 0 else { return false }
                // The stack grows downwards: whoever asks is deeper in it than all frames that are alive.
                guard let here = here.baseAddress, here < entry.mark else { return true }
                return !(0..<Self.markCount).allSatisfy { entry.mark[$0] == Self.pattern }
            }
        }
    }
}
