import Foundation
import TestSupport
import Testing

@Suite struct FuzzProgressTests {
    private let start = Date(timeIntervalSince1970: 1000)

    private func lines(isTerminal: Bool) -> [String] {
        let progress = FuzzProgress("Lists", end: start.addingTimeInterval(90), isTerminal: isTerminal)
        return [(7, 0), (8, 30.5), (9, 100)].map { seed, seconds in
            progress.line(seed, now: start.addingTimeInterval(seconds))
        }
    }

    @Test func aFileGetsALineForEachSeedWithTheTimeLeft() {
        #expect(
            lines(isTerminal: false) == [
                "Lists: seed 7, number 1, 1 min 30 s left\n", "Lists: seed 8, number 2, 1 min 0 s left\n",
                "Lists: seed 9, number 3, the last seeds run\n",
            ])
    }

    @Test func aTerminalGetsOneLineThatIsReplaced() {
        #expect(lines(isTerminal: true).allSatisfy { $0.hasPrefix("\r\u{1B}[KLists: seed ") && !$0.hasSuffix("\n") })
    }
}
