import FetchedResultsAsync
import Synchronization
import TestSupport
import Testing

/// Several tasks that wait for the elements of one stream.
@Suite struct StreamWaitingTests {
    /// Tasks that each take an element of a stream. They run when the test says so, on its thread,
    /// in the order in which they were woken.
    private final class Tasks: TaskExecutor {
        private let jobs = Mutex<[UnownedJob]>([])
        private let results = Mutex<[[Int64]?]>([])

        /// What the tasks took, in the order in which they did: the ids of the change sets; nil for
        /// the end of the stream.
        var taken: [[Int64]?] { results.withLock(\.self) }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            jobs.withLock { $0.append(job) }
        }

        /// Runs the tasks until all of them wait.
        func run() {
            while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }

        /// Begins a task, which waits.
        @discardableResult
        func add(_ changes: ListStream<ChangeSet>) -> Task<Void, Never> {
            let task = Task(executorPreference: self) {
                var iterator = changes.makeAsyncIterator()
                let ids = await iterator.next()?.objectChanges.map(\.id)
                self.results.withLock { $0.append(ids) }
            }
            run()
            return task
        }
    }

    /// Inserts rows with these ids, each in a delivery of its own.
    private func insert(_ ids: ClosedRange<Int64>, into list: FetchedResultsController) throws {
        for id in ids { try list.store.execute("INSERT INTO items VALUES (?, 'z')", [.integer(id)]) }
    }

    @Test func eachElementIsForTheTaskThatHasWaitedLongest() throws {
        let list = try itemList(itemStore())
        let (changes, tasks) = (list.changes, Tasks())
        for _ in 1...3 { tasks.add(changes) }
        try insert(11...12, into: list)
        tasks.run()
        #expect(tasks.taken == [[11], [12]])
        try insert(13...13, into: list)
        tasks.run()
        #expect(tasks.taken == [[11], [12], [13]])
    }

    @Test func aTaskThatComesLaterMayTakeTheElementThatAnotherWasWokenFor() throws {
        let list = try itemList(itemStore())
        let (changes, first, later) = (list.changes, Tasks(), Tasks())
        first.add(changes)
        try insert(11...11, into: list)
        later.add(changes)
        first.run()
        #expect(later.taken == [[11]])
        #expect(first.taken == [])
        try insert(12...12, into: list)
        first.run()
        #expect(first.taken == [[12]])
    }

    @Test func changesAreMergedUntilTheTaskThatWaitsTakesThem() throws {
        let list = try itemList(itemStore())
        let (changes, tasks) = (list.mergedChanges, Tasks())
        for _ in 1...2 { tasks.add(changes) }
        try insert(11...12, into: list)
        tasks.run()
        #expect(tasks.taken == [[11, 12]])
        try list.store.execute("DELETE FROM items WHERE id = 12")
        tasks.run()
        #expect(tasks.taken == [[11, 12], [12]])
    }

    @Test func cancellingATaskThatWaitsEndsTheStreamForAll() throws {
        let list = try itemList(itemStore())
        let (changes, tasks) = (list.changes, Tasks())
        let all = (1...3).map { _ in tasks.add(changes) }
        try insert(11...11, into: list)
        all[1].cancel()
        tasks.run()
        #expect(tasks.taken == [nil, nil, nil])
    }

    @Test func aStoreThatClosesEndsTheStreamForAllTasksThatWait() throws {
        let list = try itemList(itemStore())
        let (changes, tasks) = (list.changes, Tasks())
        for _ in 1...3 { tasks.add(changes) }
        try insert(11...11, into: list)
        try list.store.close()
        tasks.run()
        #expect(tasks.taken == [[11], nil, nil])
    }
}
