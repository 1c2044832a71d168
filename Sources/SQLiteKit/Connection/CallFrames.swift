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

    /// In numbers: at least as much as the frame certainly takes from the stack.
    private static let markCount = 128
    private static let byte: Int32 = 0xa7
    private static let pattern: UInt64 = 0xa7a7_a7a7_a7a7_a7a7

    /// How many marks a frame has.
    package enum Depth: Int {
        case small = 1
        case large = 9
    }

    /// The marks of a frame on the stack, the first of them first.
    @safe package struct Frame {
        fileprivate typealias Mark = UnsafeMutablePointer<UInt64>

        fileprivate private(set) var marks = unsafe InlineArray<9, Mark?>(repeating: nil)
        fileprivate private(set) var count = 0

        fileprivate mutating func append(_ mark: Mark) {
            unsafe marks[count] = mark
            count += 1
        }

        /// - Parameter here: An address in the frame of the caller.
        fileprivate func isDead(_ here: Mark?) -> Bool {
            for index in 0..<count {
                guard let mark = unsafe marks[index] else { continue }
                // The stack grows downwards: the caller is deeper in it than all frames that are
                // alive.
                guard let here = unsafe here, unsafe here < mark else { return true }
                // The first number is the pattern, and each other one is as the one before it.
                let rest = (markCount - 1) * MemoryLayout<UInt64>.size
                if unsafe mark[0] != pattern || memcmp(mark, mark + 1, rest) != 0 { return true }
            }
            return false
        }

        fileprivate func isSame(as other: Frame) -> Bool { unsafe marks[0] == other.marks[0] }
    }

    package init() {}

    /// Runs `body` in a frame, which it receives.
    package static func marking(_ depth: Depth, _ body: (Frame) throws -> Void) rethrows {
        try marking(depth.rawValue, Frame(), body)
    }

    private static func marking(_ count: Int, _ outer: Frame, _ body: (Frame) throws -> Void) rethrows {
        unsafe try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: markCount) { mark in
            var frame = outer
            // An allocation with a positive count has an address.
            if let base = mark.baseAddress {
                unsafe memset(base, byte, markCount * MemoryLayout<UInt64>.size)
                unsafe frame.append(base)
            }
            try count > 1 ? marking(count - 1, frame, body) : body(frame)
        }
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
