import Foundation
import TestSupport
import Testing

@testable import SQLiteKit

/// A file that is moved, removed or replaced at any time is never taken for the one at its path.
@Suite struct FilePresenceTests {
    /// A file in a folder of its own, and whether it is at its path.
    private struct World {
        let folder = TemporaryFile().path
        var path: String { folder + "/file" }
        var away: String { folder + "/away" }
        /// The number of the file that the presence is about.
        let inode: UInt64
        /// As a connection of SQLite has it.
        let descriptor: Int32

        init() throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            #expect(FileManager.default.createFile(atPath: folder + "/file", contents: Data([1])))
            inode = try #require(Self.inode(of: folder + "/file"))
            descriptor = open(folder + "/file", O_RDONLY | O_CLOEXEC)
            #expect(descriptor >= 0)
        }

        var isPresent: Bool { Self.inode(of: path) == inode }

        /// Gives what is at the path another name as well; nothing if there is none.
        func addLink() { link(path, folder + "/\(UInt64.random(in: 0...UInt64.max))") }

        private static func inode(of path: String) -> UInt64? {
            var status = stat()
            return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
        }
    }

    private enum Step: CaseIterable {
        case moveAway, moveBack, replace, addLink, write, pause

        func run(in world: World) throws {
            switch self {
            // A move fails where there is nothing to move, which changes nothing.
            case .moveAway: rename(world.path, world.away)
            case .moveBack: rename(world.away, world.path)
            case .replace:
                #expect(FileManager.default.createFile(atPath: world.path + ".new", contents: Data([2])))
                // The file stays somewhere, so that its number is not used again.
                world.addLink()
                #expect(rename(world.path + ".new", world.path) == 0)
            case .addLink: world.addLink()
            case .write:
                if let file = FileHandle(forWritingAtPath: world.path) {
                    try file.write(contentsOf: Data([3]))
                    try file.close()
                }
            case .pause: usleep(5000)
            }
        }
    }

    @Test(arguments: 0..<20) func isExactAfterAnySteps(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let world = try World()
        defer {
            try? FileManager.default.removeItem(atPath: world.folder)
            close(world.descriptor)
        }
        let presence = try #require(FilePresence(path: world.path))
        var searches = 0
        for number in 0..<200 {
            try Step.allCases.randomElement(using: &random)?.run(in: world)
            let isPresent = presence.isPresent {
                searches += 1
                return world.isPresent
            }
            #expect(isPresent == world.isPresent, "step \(number)")
        }
        #expect(searches > 0)
    }

    /// Before: the file was changed long ago. Expected: its path is not searched each time, but
    /// again some time after a folder above was moved, which does not change the file.
    @Test func searchesThePathFromTimeToTime() throws {
        let world = try World()
        let moved = world.folder + ".moved"
        defer {
            try? FileManager.default.removeItem(atPath: moved)
            close(world.descriptor)
        }
        usleep(100_000)
        let presence = try #require(FilePresence(path: world.path))
        var searches = 0
        func isPresent() -> Bool {
            presence.isPresent {
                searches += 1
                return world.isPresent
            }
        }
        var calls = 0
        repeat {
            #expect(isPresent())
            calls += 1
        } while calls == searches && calls < 100
        #expect(searches < calls)
        #expect(rename(world.folder, moved) == 0)
        var wasNoticed = false
        for _ in 0..<10_000 where !wasNoticed {
            wasNoticed = !isPresent()
            usleep(1000)
        }
        #expect(wasNoticed)
    }
}
