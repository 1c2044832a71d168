package import Foundation

/// What a long run of a random test says on standard error: how many seeds it has begun, and the
/// time left. A terminal gets one line, which is replaced; a file gets a line for each seed, so
/// that after a crash the last lines have the seeds that were running.
package final class FuzzProgress: @unchecked Sendable {
    private let name: String
    private let end: Date
    private let isTerminal: Bool
    private let lock = NSLock()
    private var begun = 0

    package init(_ name: String, end: Date, isTerminal: Bool = RandomTests.isInTerminal) {
        self.name = name
        self.end = end
        self.isTerminal = isTerminal
    }

    /// Says that a seed begins. Silent in a short run.
    package func begin(_ seed: UInt64) {
        guard RandomTests.isLong else { return }
        FileHandle.standardError.write(Data(line(seed, now: Date()).utf8))
    }

    /// Counts a seed that begins, and returns the line that says so.
    package func line(_ seed: UInt64, now: Date) -> String {
        lock.withLock {
            begun += 1
            let left = max(0, Int(end.timeIntervalSince(now).rounded(.up)))
            let timeLeft = left > 0 ? "\(left / 60) min \(left % 60) s left" : "the last seeds run"
            let text = "\(name): seed \(seed), number \(begun), \(timeLeft)"
            return isTerminal ? "\r\u{1B}[K\(text)" : "\(text)\n"
        }
    }
}
