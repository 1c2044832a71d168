internal import ListEngine
internal import LogFollower
internal import SQLiteKit

/// The commits of other connections to the databases of a store: the main one, and the attached
/// ones of which lists watch tables. Each file is followed by itself, as a transaction of SQLite in
/// WAL mode is atomic in each file only.
///
/// Without attached databases this does only what `ForeignCommits` of the main one does.
final class ForeignDatabases: @unchecked Sendable {
    let main: ForeignCommits
    private let connection: Connection
    private let capture: ChangeCapture
    private let snapshotLimit: Int
    /// The store's thread changes it, with the lock; the watcher's thread reads it.
    private var attached: [ForeignCommits] = []
    private let lock = Lock()
    /// The counters of attached databases that are not followed any more.
    private var counters = LogCounters()
    /// Whether there are lists that read several databases, whose states must be held together.
    var needsJoint = false
    /// The store's thread changes it, with the lock; the watcher's thread reads it.
    private var joint: JointState?

    init(_ connection: Connection, _ capture: ChangeCapture, snapshotLimit: Int) {
        self.connection = connection
        self.capture = capture
        self.snapshotLimit = snapshotLimit
        main = ForeignCommits(.main, of: connection, capture, snapshotLimit: snapshotLimit)
    }

    var isFollowing: Bool { main.isFollowing || attached.contains(where: \.isFollowing) }

    /// How many databases are followed.
    var followedCount: Int { ([main] + attached).count(where: \.isFollowing) }

    /// The follower of a database; nil if there is none.
    func follower(of name: ExactText) -> LogFollower? { database(name)?.follower }

    /// Ends following, so that the databases can leave WAL mode, be detached or be closed.
    func end() {
        closeJoint()
        main.end()
        removeAttached { _ in true }
    }

    /// Writes the log of a database into its file as far as readers permit it, and ends following
    /// it.
    func writeBack(_ name: ExactText) {
        closeJoint()
        database(name)?.endWritingBack()
    }

    /// Ends following the files of which that is true.
    func end(where isUnwanted: (_ path: String) -> Bool) {
        for database in [main] + attached where database.isFollowing && database.path.map(isUnwanted) ?? true {
            closeJoint()
            database.end()
        }
    }

    /// Ends following until the next `start`, as before statements that need a database
    /// exclusively.
    func pause() {
        closeJoint()
        main.pause()
        removeAttached { _ in true }
    }

    /// All that may be followed, in the order in which the store's connection has them.
    private var all: [ForeignCommits] {
        if attached.isEmpty { return [main] }
        let names = connection.attachedNames
        func place(_ database: ForeignCommits) -> Int { names.firstIndex { ExactText($0) == database.name } ?? 0 }
        return [main] + attached.sorted { place($0) < place($1) }
    }

    /// Calls `body` with all of them, in no particular order.
    @inline(__always)
    private func forEach(_ body: (ForeignCommits) throws -> Void) rethrows {
        try body(main)
        for database in attached { try body(database) }
    }

    private func removeAttached(where isUnwanted: (ForeignCommits) -> Bool) {
        for database in attached where isUnwanted(database) {
            database.end()
            counters.add(database.allCounters)
        }
        lock.locked { attached.removeAll(where: isUnwanted) }
    }

    /// The positions of the logs now.
    var latest: LogPositions {
        attached.isEmpty
            ? LogPositions(main: main.latest) : LogPositions(main: main.latest, attached: attached.map(\.latest))
    }

    /// Whether the positions of the logs are unchanged, as far as they are followed.
    func isStill(at positions: LogPositions) -> Bool {
        main.isStill(at: positions.main)
            && (attached.isEmpty || attached.allSatisfy { $0.isStill(at: position(of: $0, in: positions)) })
    }

    /// The position of one database.
    func position(of database: ForeignCommits, in positions: LogPositions) -> LogPosition? {
        if database === main { return positions.main }
        guard let index = attached.firstIndex(where: { $0 === database }), index < positions.attached.count else {
            return nil
        }
        return positions.attached[index]
    }

    /// The cost of following.
    var allCounters: LogCounters {
        attached.reduce(into: main.allCounters) { $0.add($1.allCounters) }.adding(counters)
    }

    // MARK: Following

    /// Begins to follow at the states that the lists show. Does nothing where it is followed
    /// already, or can't be.
    func start(in delivery: StoreDelivery) {
        main.start(in: delivery)
        if !connection.attachedNames.isEmpty || !attached.isEmpty {
            chooseAttached()
            for database in attached { database.start(in: delivery) }
        }
        if needsJoint {
            _ = openJoint()
            joint?.hold()
        }
    }

    /// Begins to follow at states that a fetch reads, and that the lists show, where nothing is
    /// followed yet.
    func start(at positions: LogPositions) {
        forEach { $0.start(at: position(of: $0, in: positions)) }
        joint?.hold()
    }

    /// Opens the logs of the attached databases of which lists watch tables, and what lists need
    /// that read several databases. False if all of it was open already.
    func openWatched() -> Bool {
        let isAttachedNew = openAttached()
        let isJointNew = needsJoint && openJoint()
        return isAttachedNew || isJointNew
    }

    private func openAttached() -> Bool {
        if connection.attachedNames.isEmpty { return false }
        let count = attached.count
        addAttached(watchedNames)
        for database in attached[count...] { database.open() }
        return attached.count > count
    }

    /// Opens a connection that reads all databases that are followed. False if it was open already,
    /// or can't be opened.
    private func openJoint() -> Bool {
        let databases = all.filter(\.isFollowing)
        if let joint, joint.databases.elementsEqual(databases, by: ===) { return false }
        closeJoint()
        guard !databases.isEmpty, let joint = JointState(databases, connection) else { return false }
        lock.locked { self.joint = joint }
        return true
    }

    private func closeJoint() {
        guard let joint else { return }
        joint.close()
        lock.locked { self.joint = nil }
    }

    /// An attached database that is followed costs two connections, so only those are followed of
    /// which lists watch tables.
    private func chooseAttached() {
        let names = watchedNames
        removeAttached { database in !names.contains(database.name) || !isAttached(database) }
        addAttached(names)
    }

    private var watchedNames: [ExactText] {
        connection.attachedNames.map { ExactText($0) }.filter(capture.watches)
    }

    private func addAttached(_ names: [ExactText]) {
        for name in names where !attached.contains(where: { $0.name == name }) {
            let database = ForeignCommits(name, of: connection, capture, snapshotLimit: snapshotLimit)
            lock.locked { attached.append(database) }
        }
    }

    /// Whether the file still is the one that is attached under the name.
    private func isAttached(_ database: ForeignCommits) -> Bool {
        database.path == connection.fileName(of: database.name.text)
    }

    /// Notes a commit of this connection that was delivered already. The next round determines the
    /// state of a database to which it did not write.
    func noteOwnCommit(to written: WrittenDatabases) {
        forEach { $0.noteOwnCommit(isWritten: $0 === main ? written.isMain : written.contains($0.name)) }
    }

    /// Makes the capture note the commits of other connections between two data versions as touched
    /// rows, and continues from there.
    ///
    /// - Returns: The notes; nil if a position is not the last commit's any more.
    func note(
        _ version: Connection.DataVersion, since former: Connection.DataVersion, upTo positions: LogPositions
    ) -> KnownRows? {
        // First, because a follower that has advanced can't do so twice.
        if let joint, !joint.prepare(joint.databases.map { position(of: $0, in: positions) }) { return nil }
        guard let changed = version.attachedChanged(since: former) else { return .notAll }
        for index in changed {
            guard let isKnown = noteAttached(index, upTo: positions) else { return nil }
            guard isKnown else { return .notAll }
        }
        if version.isSameMain(as: former) { return .all }
        guard let isKnown = main.note(upTo: positions.main) else { return nil }
        return isKnown ? .all : .allButMain
    }

    private func noteAttached(_ index: Int, upTo positions: LogPositions) -> Bool? {
        guard index < connection.attachedNames.count else { return false }
        let name = ExactText(connection.attachedNames[index])
        // Lists whose tables no hook observes take part in every round.
        guard let database = attached.first(where: { $0.name == name }) else { return !capture.watches(name) }
        return isAttached(database) ? database.note(upTo: position(of: database, in: positions)) : false
    }

    /// Notes that the lists are about to show the states that a round reads, with everything that
    /// was fetched ahead of them.
    ///
    /// - Parameters:
    ///   - known: The databases whose differences are noted, or made by this connection alone. The
    ///     other ones are followed from here on.
    ///   - isChanged: Whether this connection has changed anything.
    func noteShown(at positions: LogPositions, _ known: KnownRows, isChanged: Bool) {
        forEach { database in
            let isKnown = known == .all || known == .allButMain && database !== main
            database.noteShown(at: position(of: database, in: positions), isKnown: isKnown, isChanged: isChanged)
        }
        joint?.takePrepared()
    }

    // MARK: Rounds

    /// Runs a round, from reading its changes to its last callback. Meanwhile no state is released,
    /// and the old state stays readable.
    func inRound<Result>(_ body: () throws -> Result) rethrows -> Result {
        forEach { $0.beginRound() }
        joint?.beginRound()
        defer {
            forEach { $0.endRound() }
            joint?.endRound()
        }
        return try body()
    }

    // MARK: Rows

    /// The state of a database that the lists show; nil if it is not followed.
    ///
    /// - Parameter name: nil for several together.
    func shownState(of name: ExactText?) -> (any FollowedState)? {
        guard let name else { return attached.allSatisfy(isAttached) ? joint : nil }
        guard let database = database(name), database.isFollowing, database === main || isAttached(database) else {
            return nil
        }
        return database
    }

    /// The database of a name, if it may be followed.
    private func database(_ name: ExactText?) -> ForeignCommits? {
        name?.isMain ?? false ? main : attached.first { $0.name == name }
    }

    /// Holds states that the lists do not show yet, for lists that are fetched in them; nil if that
    /// is not possible.
    ///
    /// - Parameter positions: The positions of the states that are committed now.
    func hold(_ positions: LogPositions) throws -> AheadState? {
        var (databases, files, wanted): ([ForeignCommits], [DatabaseFile], [LogPosition]) = ([], [], [])
        for database in all where database.heldPosition != nil {
            guard let position = position(of: database, in: positions), let file = try database.file else { continue }
            databases.append(database)
            files.append(file)
            wanted.append(position)
        }
        guard !files.isEmpty, let state = try AheadState(files, at: wanted, connection) else { return nil }
        for database in databases { database.addFetched(state) }
        return state
    }

    // MARK: The logs

    /// Moves the read transactions forward, and keeps the logs short. Called when no transaction is
    /// open.
    ///
    /// - Parameter isIdle: Whether the program has requested a delivery, and so is not in a rapid
    ///   series of writes.
    func tidy(isIdle: Bool = false) {
        // Before, so that it does not prevent other connections from writing the log
        // back; after, so that it does not prevent the log's restart.
        joint?.hold()
        forEach { $0.tidy(isIdle: isIdle) }
        joint?.hold()
    }

    /// Finds the rows of commits ahead, as `ForeignCommits.prepareNote` does.
    func prepareNote(of path: String) {
        for database in lock.locked({ [main] + attached }) where database.path == path { database.prepareNote() }
    }

    /// Limits the log of a file, as `ForeignCommits.guardLog` does.
    func guardLog(of path: String, wait: LogWait) -> Bool {
        let (databases, joint) = lock.locked { ([main] + attached, self.joint) }
        var isUnfinished = false
        for database in databases where database.path == path {
            if database.guardLog(wait: wait) { isUnfinished = true }
        }
        if let joint, joint.guardLog(wait: wait) { isUnfinished = true }
        return isUnfinished
    }
}

extension LogCounters {
    fileprivate func adding(_ other: LogCounters) -> LogCounters {
        var sum = self
        sum.add(other)
        return sum
    }
}

/// The databases whose rows that other connections have touched are known from their logs.
enum KnownRows {
    case all
    /// All but the main one, for which there can be a history.
    case allButMain
    case notAll
}

/// The state that a fetch has begun to read is not known in all of the databases that it reads. The
/// fetch of a collection can read the states of several stores.
struct UnknownPosition: Error {
    private let delivery: ObjectIdentifier

    init(_ delivery: StoreDelivery) { self.delivery = ObjectIdentifier(delivery) }

    /// Whether it is a state of this store.
    func isOf(_ delivery: StoreDelivery) -> Bool { self.delivery == ObjectIdentifier(delivery) }
}

/// The positions of the logs of a store's databases, each nil if it is not known or not followed. A
/// read transaction that begins after them, and before another read of them with the same result,
/// shows these states.
struct LogPositions {
    let main: LogPosition?
    /// In the order of `ForeignDatabases`.
    let attached: [LogPosition?]

    init(main: LogPosition? = nil, attached: [LogPosition?] = []) {
        self.main = main
        self.attached = attached
    }

    var isAnyKnown: Bool { main != nil || attached.contains { $0 != nil } }
}
