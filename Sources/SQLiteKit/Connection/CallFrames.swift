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
    private var entries: [(frame: Frame, thread: pthread_t)] = []

    private static let pattern: UInt64 = 0xa7a7_a7a7_a7a7_a7a7

    /// How many marks a frame has.
    package enum Depth: Sendable {
        /// 1 KB.
        case small
        /// 9 KB.
        case large
    }

    /// The marks of a frame on the stack: numbers that are all the same.
    @safe package struct Frame {
        fileprivate typealias Marks = UnsafeMutablePointer<UInt64>

        fileprivate let marks: Marks
        fileprivate let count: Int

        /// - Parameter here: An address in the frame of the caller.
        fileprivate func isDead(_ here: Marks?) -> Bool {
            // The stack grows downwards: the caller is deeper in it than all frames that are alive.
            guard let here = unsafe here, unsafe here < marks else { return true }
            // The first number is the pattern, and each other one is as the one before it.
            let rest = (count - 1) * MemoryLayout<UInt64>.size
            return unsafe marks[0] != pattern || memcmp(marks, marks + 1, rest) != 0
        }

        fileprivate func isSame(as other: Frame) -> Bool { unsafe marks == other.marks }
    }

    package init() {}

    /// Runs `body` in a frame, which it receives.
    package static func marking(_ depth: Depth, _ body: (Frame) throws -> Void) rethrows {
        switch depth {
        case .small:
            var marks = InlineArray<128, UInt64>(repeating: pattern)
            try unsafe run(body, in: &marks)
        case .large:
            var marks = InlineArray<1152, UInt64>(repeating: pattern)
            try unsafe run(body, in: &marks)
        }
    }

    @inline(__always)
    private static func run<let count: Int>(
        _ body: (Frame) throws -> Void, in marks: UnsafeMutablePointer<InlineArray<count, UInt64>>
    ) rethrows {
        try body(unsafe Frame(marks: UnsafeMutableRawPointer(marks).assumingMemoryBound(to: UInt64.self), count: count))
    }

    package mutating func insert(_ frame: Frame) { entries.append((frame, pthread_self())) }

    package mutating func remove(_ frame: Frame) {
        if entries.last?.frame.isSame(as: frame) ?? false {
            entries.removeLast()
        } else {
            entries.removeAll { $0.frame.isSame(as: frame) }
        }
    }

    package mutating func removeAll() { entries = [] }

    package mutating func formUnion(_ other: CallFrames) { entries += other.entries }

    /// Whether a call of this thread has not returned and never will.
    package var areAbandoned: Bool {
        let thread = pthread_self()
        return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 1) { here in
            entries.contains { unsafe pthread_equal($0.thread, thread) != 0 && $0.frame.isDead(here.baseAddress) }
        }
    }
}
