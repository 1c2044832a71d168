internal import Glibc

/// The stack frames of calls that are under way and call functions of the program.
///
/// Such a function has to return. One that ends by longjmp, or by a C++ exception, leaves the
/// library's frames in the middle of their work, and Swift has no means to clean up after them. The
/// next check of the frames detects that: a frame is dead if the stack is shorter than the frame's
/// position, or if the frame's marks on the stack were overwritten. Later frames of the program in
/// the same place may leave gaps, at variables that they never set. A frame therefore has several
/// kilobytes of marks, unless frames are made so often that the cost would matter.
///
/// Safe, although it reads frames that no longer exist: it does so only where the stack of the
/// calling thread is in use.
@safe package struct CallFrames {
    private var entries: [(mark: Mark, thread: pthread_t)] = unsafe []

    /// In numbers: at least as much as the frame certainly takes from the stack.
    private static let markCount = 128
    private static let byte: Int32 = 0xa7
    private static let pattern: UInt64 = 0xa7a7_a7a7_a7a7_a7a7

    /// How many marks a frame has.
    package enum Depth: Int {
        case small = 1
        case large = 9
    }

    package init() {}

    /// A mark of a frame on the stack.
    package typealias Mark = UnsafeMutablePointer<UInt64>

    /// Runs `body` in a frame. Passes each of the frame's marks to `enter` before, and to `leave`
    /// after it.
    package static func marking(
        _ depth: Depth, enter: (Mark) -> Void, leave: (Mark) -> Void, _ body: () throws -> Void
    ) rethrows {
        unsafe try marking(depth.rawValue, enter, leave, body)
    }

    private static func marking(
        _ count: Int, _ enter: (Mark) -> Void, _ leave: (Mark) -> Void, _ body: () throws -> Void
    ) rethrows {
        unsafe try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: markCount) { mark in
            // An allocation with a positive count has an address.
            guard let base = mark.baseAddress else { return try body() }
            unsafe memset(base, byte, markCount * MemoryLayout<UInt64>.size)
            unsafe enter(base)
            defer { unsafe leave(base) }
            return unsafe try count > 1 ? marking(count - 1, enter, leave, body) : body()
        }
    }

    package mutating func insert(_ mark: Mark) { unsafe entries.append((mark, pthread_self())) }

    package mutating func remove(_ mark: Mark) {
        if unsafe entries.last?.mark == mark {
            unsafe entries.removeLast()
        } else {
            unsafe entries.removeAll { unsafe $0.mark == mark }
        }
    }

    package mutating func removeAll() { unsafe entries = [] }

    package mutating func formUnion(_ other: CallFrames) { unsafe entries += other.entries }

    /// Whether a call of this thread has not returned and never will.
    package var areAbandoned: Bool {
        let thread = pthread_self()
        return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 1) { here in
            unsafe entries.contains { entry in
                guard unsafe pthread_equal(entry.thread, thread) != 0 else { return false }
                // The stack grows downwards: the caller is deeper in it than all frames that are
                // alive.
                guard let here = here.baseAddress, unsafe here < entry.mark else { return true }
                // The first mark is the pattern, and each other one is as the one before it.
                let rest = (Self.markCount - 1) * MemoryLayout<UInt64>.size
                return unsafe entry.mark[0] != Self.pattern || memcmp(entry.mark, entry.mark + 1, rest) != 0
            }
        }
    }
}
