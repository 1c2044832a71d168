internal import FetchedResults
internal import Glibc

/// The functions of the program that a thread is in, called by the library, innermost last.
///
/// Such a function has to return. One that ends by longjmp, or by a C++ exception, leaves the library's frames behind in the
/// middle of their work, and Swift has no means to clean up after them. What was under way is then abandoned: the stores
/// concerned answer FR_MISUSE to all calls, and can be closed.
///
/// A jump is found at the thread's next call of the library. The frame that called the function is dead if the stack is
/// shorter by then than it was, or if what that frame holds on the stack was overwritten.
final class Callouts {
    private struct Entry {
        /// What the calling frame holds on the stack.
        let mark: UnsafeMutablePointer<UInt64>
        let queue: DeliveryQueue?
    }

    private var entries: [Entry] = []

    private static let markCount = 8
    private static let pattern: UInt64 = 0x5eed_ca11_0123_4567

    /// Calls a function of the program.
    func call<Result>(_ queue: DeliveryQueue?, _ body: () throws -> Result) rethrows -> Result {
        try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.markCount) { mark in
            mark.initialize(repeating: Self.pattern)
            guard let base = mark.baseAddress else { return try body() }
            let depth = entries.count
            entries.append(Entry(mark: base, queue: queue))
            defer {
                // Functions called from this one that did not return.
                abandon(downTo: depth + 1)
                entries.removeLast()
            }
            return try body()
        }
    }

    /// Finds functions that did not return. Called at the beginning of each call of the library.
    @inline(__always)
    func check() {
        if !entries.isEmpty { checkEntries() }
    }

    @inline(never)
    private func checkEntries() {
        var depth = entries.count
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 1) { here in
            while depth > 0, isDead(entries[depth - 1], here.baseAddress) { depth -= 1 }
        }
        abandon(downTo: depth)
    }

    /// The stack grows downwards: a frame that is alive lies above those that were called from it.
    private func isDead(_ entry: Entry, _ here: UnsafeMutablePointer<UInt64>?) -> Bool {
        guard let here, here < entry.mark else { return true }
        return !(0..<Self.markCount).allSatisfy { entry.mark[$0] == Self.pattern }
    }

    private func abandon(downTo depth: Int) {
        while entries.count > depth { entries.removeLast().queue?.abandon() }
    }
}
