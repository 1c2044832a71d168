import Foundation
import SQLiteKit
import TestSupport
import Testing

@Suite struct ActivityTests {
    @Test func aStatementCannotBeUsedInItsOwnMiddle() throws {
        let connection = try memoryConnection()
        var found: [StoreError.Status?] = []
        try connection.addCollation("curious") { [unowned connection] _, _ in
            found.append(status { try connection.activity.checkIdle() })
            return 0
        }
        _ = try connection.rows("SELECT 1 WHERE 'a' < 'b' COLLATE curious")
        #expect(found == [.misuse])
        try connection.activity.checkIdle()
    }

    @Test func workMayContainWork() throws {
        let connection = try memoryConnection()
        let answer = try connection.activity.work {
            try connection.activity.work { try connection.activity.checkIdle() }
            return 5
        }
        #expect(answer == 5 && !connection.activity.isAbandoned)
    }

    /// The two threads take turns, so that only the rule itself is broken.
    private final class Shared: @unchecked Sendable {
        let connection: Connection
        var found: [StoreError.Status?] = []
        let done = DispatchSemaphore(value: 0)

        init(_ connection: Connection) { self.connection = connection }
    }

    @Test func anotherThreadsWorkIsMisuse() throws {
        let shared = Shared(try memoryConnection())
        let use = {
            Thread {
                shared.found.append(status { _ = try shared.connection.rows("SELECT 1") })
                shared.found.append(status { try shared.connection.activity.checkIdle() })
                shared.done.signal()
            }
        }
        try shared.connection.activity.work {
            use().start()
            shared.done.wait()
        }
        #expect(shared.found == [.misuse, .misuse])
        // One after the other is allowed.
        use().start()
        shared.done.wait()
        #expect(shared.found.suffix(2) == [nil, nil])
    }

    @Test func framesThatAreAliveAreNotAbandoned() {
        var frames = CallFrames()
        for depth in [CallFrames.Depth.small, .large] {
            CallFrames.marking(depth) { frame in
                frames.insert(frame)
                #expect(!frames.areAbandoned)
                CallFrames.marking(.small) { inner in
                    frames.insert(inner)
                    #expect(!frames.areAbandoned)
                    frames.remove(inner)
                }
                frames.remove(frame)
            }
            #expect(!frames.areAbandoned)
        }
    }

    /// A frame that was not left in an orderly way, as after a longjmp: the stack is shorter than
    /// it was, or overwritten.
    @Test func framesThatWereLeftByAJumpAreAbandoned() {
        for depth in [CallFrames.Depth.small, .large] {
            var frames = CallFrames()
            deepInTheStack(20) {
                CallFrames.marking(depth) { frames.insert($0) }
            }
            #expect(frames.areAbandoned)
            frames.removeAll()
            #expect(!frames.areAbandoned)
        }
    }

    private func deepInTheStack(_ levels: Int, _ body: () -> Void) {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 128) { room in
            room.initialize(repeating: UInt64(levels))
            if levels > 0 { deepInTheStack(levels - 1, body) } else { body() }
        }
    }

    @Test func otherThreadsFramesAreIgnored() {
        final class Box: @unchecked Sendable { var frames = CallFrames() }
        let box = Box()
        let done = DispatchSemaphore(value: 0)
        Thread {
            CallFrames.marking(.small) { box.frames.insert($0) }
            done.signal()
        }.start()
        done.wait()
        #expect(!box.frames.areAbandoned)
    }
}
