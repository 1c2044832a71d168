/// The stack frames of calls that are under way and call functions of the program.
///
/// Such a function has to return. One that ends by longjmp, or by a C++ exception, leaves the library's frames behind in the
/// middle of their work, and Swift has no means to clean up after them. The next look at the frames finds that: a frame is
/// dead if the stack is shorter than it was, or if what the frame holds on the stack was overwritten.
package struct CallFrames {
    private var marks: [UnsafeMutablePointer<UInt64>] = []

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

    package mutating func insert(_ mark: Mark) { marks.append(mark) }

    package mutating func remove(_ mark: Mark) {
        if let index = marks.lastIndex(of: mark) { marks.remove(at: index) }
    }

    package mutating func removeAll() { marks = [] }

    package mutating func formUnion(_ other: CallFrames) { marks += other.marks }

    /// Whether a call never returned. Asked by the thread whose frames they are, which is deeper in its stack than all
    /// frames that are alive.
    package var areAbandoned: Bool {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 1) { here in
            // The stack grows downwards.
            marks.contains { mark in
                guard let here = here.baseAddress, here < mark else { return true }
                return !(0..<Self.markCount).allSatisfy { mark[$0] == Self.pattern }
            }
        }
    }
}
