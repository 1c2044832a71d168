import Foundation
import TestSupport
import Testing

/// The corpus that the other languages replay: the steps of the first seeds of the random runs, and
/// the contents of their lists.
///
/// `make corpus` writes it.
@Suite struct CorpusTests {
    private static let seeds: UInt64 = 150
    private static let seedsInAFile: UInt64 = 25
    /// The first seed of each file, up to FR_SEEDS if the environment has that. The tests of C
    /// replay all of them.
    private static let firsts = Array(stride(from: UInt64(1), through: lastSeed, by: Int(seedsInAFile)))
    private static let lastSeed =
        ProcessInfo.processInfo.environment["FR_SEEDS"].flatMap { UInt64($0) } ?? (isWritten ? seeds : seedsInAFile)

    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Corpus")

    private static let isWritten = ProcessInfo.processInfo.environment["FR_WRITE_CORPUS"] != nil

    @Test(arguments: firsts) func theCorpusIsWhatTheRandomRunsDo(first: UInt64) throws {
        let seeds = first..<first + Self.seedsInAFile
        let lines = try seeds.flatMap { try Self.scenario(seed: $0) }
        let file = Self.folder.appendingPathComponent("\(String(format: "%03d", Int(first))).jsonl")
        if Self.isWritten {
            return try lines.map { $0 + "\n" }.joined().write(to: file, atomically: true, encoding: .utf8)
        }
        let kept = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        guard let place = zip(kept, lines).enumerated().first(where: { $1.0 != $1.1 })?.offset else {
            #expect(kept.count == lines.count)
            return
        }
        Issue.record(
            """
            \(file.lastPathComponent):\(place + 1) is
              \(kept[place])
            and not
              \(lines[place])
            `make corpus` writes the corpus again.
            """)
    }

    private static func scenario(seed: UInt64) throws -> [String] {
        let world = try World(seed: seed, .corpus)
        defer { world.close() }
        for _ in 0..<28 where world.faults.isEmpty { try world.step() }
        if world.faults.isEmpty { try world.endFetches() }
        for fault in world.faults { Issue.record("scenario \(seed): \(fault)") }
        return world.scenario?.lines ?? []
    }
}
