import SQLiteKit
import TestSupport

@testable import FetchedResults

/// One random run: a database, its controllers, and the steps.
final class World {
    let store: Store
    let oracle: Oracle
    let schema: Schema
    var random: SeededRandom
    private(set) var controllers: [Watched] = []
    private var collection: WatchedCollection?
    private var groups: [WatchedGroups] = []
    /// The number of deliveries of groups.
    var followedGroups: Int { groups.reduce(0) { $0 + $1.followed } }
    private var windows: [WatchedWindow] = []
    /// Of its own, so that the other steps of a seed are the same as without windows.
    private var windowRandom: SeededRandom
    /// The steps that were made, for finding the cause of a fault.
    private(set) var log: [String] = []
    private(set) var faults: [String] = []
    private let file: TemporaryFile?
    /// The number of times that a list was taken from the cache.
    var cachedFetches = 0
    /// The number of times that a window changed without being read as a whole.
    var followedWindows = 0
    /// The number of times that a search changed without being read as a whole.
    var followedSearches = 0
    /// The number of times that a list was compared with ranks of earlier statistics, and that one
    /// was ranked again.
    var (frozenRanks, renewedRanks) = (0, 0)
    /// The number of times that a search was taken from the cache by another list.
    var openedAgain = 0
    /// The number of times that a list was read as a whole because another connection had
    /// committed, and had changed.
    var wholeRereads = 0
    /// The number of times that a history reported the commits of other connections.
    private(set) var historyRounds = 0
    /// The number of times that a list came from a thread, rather than from `dispatch`.
    var backgroundFetches = 0
    private var groupSteps = SeededRandom(seed: 0)
    /// Holds the threads that read lists.
    private let gate: Gate
    private var cacheNames = 0
    /// Another connection to the same file, which no hook observes.
    private let other: Store?
    /// Whether deliveries wait for dispatch.
    let isQueued: Bool
    /// The record of a run that others replay.
    let scenario: Scenario?
    private let wantsTotals: Bool
    /// In every fourth world all keys have the same hash.
    let nodes: NodeSizes

    private enum Phase {
        case settled
        case announcing
        case switched
    }

    private var phase = Phase.settled
    /// In this round, whether the lists are read while they are about to change, and after.
    private var looksBefore = false
    private var looksAfter = false

    /// The steps that are made more often.
    enum Kind {
        case all
        /// Lists of a file are fetched in the background most of the time.
        case background
        /// All steps that other languages can replay. Random checks are all made, as rows that were
        /// read make a difference to later deliveries.
        case corpus
        /// All tables of a file have a history, from which lists get the commits of other
        /// connections.
        case history
        /// Many lists of the same tables, each of rows with one value in some column.
        case manyLists
        /// Nearly all lists have a limit or an offset.
        case windows
        /// Lists are read as a whole after commits of other connections, most of them by an index.
        case whole
        /// Transactions are steps, which are undone and redone.
        case undo
        /// Lists search in a full-text index.
        case search
    }

    private let kind: Kind
    /// Whether lists have totals, and there are lists of groups: in the corpus from a seed on, as
    /// the scenarios before are older.
    private let hasTotals: Bool

    /// The steps of the store that can be undone; nil if there are none.
    let steps: StepsModel?

    init(seed: UInt64, _ kind: Kind) throws {
        self.kind = kind
        hasTotals = kind != .corpus || seed > 125
        random = SeededRandom(seed: seed)
        windowRandom = SeededRandom(seed: seed &* 31)
        steps = kind == .undo || kind == .history ? StepsModel(seed) : nil
        wantsTotals = seed % 2 == 0
        nodes =
            kind == .corpus
            ? .standard
            : NodeSizes(
                leafCapacity: 4, fanout: 4, manyRows: seed % 3 == 0 ? 32 : 1, chunk: seed % 5 == 0 ? 32 : 1,
                keyHashMask: seed % 4 == 1 ? 0 : .max)
        isQueued = random.chance(15)
        var options = StoreOptions()
        options.queuesDelivery = isQueued
        // In every fourth world texts are held, and compared, in UTF-16.
        let encoding = seed % 4 == 2 ? (seed % 8 == 2 ? "UTF-16le" : "UTF-16be") : nil
        let needsFile = kind == .background || kind == .history || kind == .whole
        let hasFile =
            kind == .corpus
            ? random.chance(40) && encoding == nil : random.chance(kind == .search ? 75 : 40) || needsFile
        file = hasFile ? TemporaryFile() : nil
        scenario = kind == .corpus ? Scenario("\(seed)", isFile: hasFile, isQueued: isQueued) : nil
        options.cacheDirectory = file?.cacheDirectory
        // The log is then not followed, as in the rollback modes, where two connections would block
        // each other.
        if kind == .history || kind == .whole { options.snapshotLimit = 0 }
        if let encoding, let file { try file.create(encoding: encoding) }
        store = try Store(path: file?.path ?? ":memory:", options: options)
        var otherOptions = StoreOptions()
        otherOptions.snapshotLimit = options.snapshotLimit
        other = try file.map { [otherOptions] in try Store(path: $0.path, options: otherOptions) }
        if let other { try TextOrder.register(in: other) }
        try TextOrder.register(in: store)
        gate = Gate(store)
        oracle = Oracle(connection: store.connection)
        var schema = Schema(&random)
        while kind == .corpus, schema.tables.contains(where: \.hasHazyImages) { schema = Schema(&random) }
        if kind == .search {
            let versions = try store.connection.rows("SELECT sqlite_version() >= '3.43'")
            schema.addSearch(&random, hasContentlessDelete: versions == [[1]])
        }
        self.schema = schema
        // A trace changes nothing.
        if seed % 3 == 1, kind != .corpus { store.trace = { [unowned self] in check($0) } }
        if let encoding, file == nil { try run("PRAGMA encoding = '\(encoding)'") }
        for statement in schema.statements { try run(statement) }
        try startHistories()
        let writeCount = random.below(kind == .corpus ? 30 : 60)
        for _ in 0..<(kind == .windows ? 40 + writeCount : writeCount) { try write() }
        try dispatch()
        let greatest =
            switch kind {
            case .manyLists: 8 + random.below(8)
            case .windows, .search: 3
            default: random.below(4)
            }
        for _ in 0...greatest {
            let entity =
                schema.search.map { random.pick([$0.index, $0.index, $0.documents, $0.documents, schema.items]) }
                ?? random.pick([
                    schema.items, schema.items, schema.items, schema.view ?? schema.items, schema.lists, schema.tags,
                ])
            let request = newRequest(entity)
            if kind == .windows || kind == .whole, let columns = request.orderIndex(encoding: encoding),
                random.chance(80)
            {
                for controller in controllers { controller.loseTrack() }
                try run("CREATE INDEX \"order \(controllers.count)\" ON \(columns)")
                try settle()
            }
            log.append("fetch \(request)")
            let controller = try Watched(
                request, self, elsewhere: random.chance(kind == .whole ? 80 : 30) ? other : nil)
            try controller.fetch()
            for fault in controller.listFaults() { note("after the fetch: \(fault)") }
            controllers.append(controller)
        }
        if hasTotals {
            // Random numbers of their own, as the other lists had before there were groups.
            var random = SeededRandom(seed: seed &+ 0x67726f757073)
            for _ in 0..<random.below(3) {
                let list = try WatchedGroups(
                    schema, self, elsewhere: random.chance(30) ? other : nil, SeededRandom(seed: random.next()))
                try list.fetch()
                groups.append(list)
            }
            groupSteps = random
        }
        if random.chance(60) { try addMap() }
        if random.chance(70) {
            let collection = try WatchedCollection(self, depth: 2)
            try collection.fetch()
            self.collection = collection
            for controller in controllers { controller.noteFetched() }
            if scenario != nil { try settle() }
        }
    }

    // MARK: Windows

    /// Opens, changes and closes windows between deliveries, except where others replay the run.
    private func changeWindows() {
        guard scenario == nil else { return }
        for window in windows where windowRandom.chance(10) { window.change(&windowRandom) }
        if !windows.isEmpty, windowRandom.chance(10) {
            windows.remove(at: windowRandom.below(windows.count)).end(Lifetimes())
        }
        guard windows.count < 6, !controllers.isEmpty, windowRandom.chance(50) else { return }
        let list = windowRandom.pick(controllers)
        guard list.isFetched else { return }
        do { windows.append(try WatchedWindow(list.controller, self, &windowRandom)) } catch {
            note("window: \(error)")
        }
    }

    /// A request, and where lists are to be fetched in the background, one that a thread can
    /// probably read.
    private func newRequest(_ entity: EntityModel) -> RequestModel {
        var request = RequestModel(schema, entity: entity, &random)
        for _ in 0..<8 where kind == .background && !request.hasBuiltInOrder {
            request = RequestModel(schema, entity: entity, &random)
        }
        for _ in 0..<8 where entity === schema.search?.index || entity === schema.search?.documents {
            if request.searches { break }
            request = RequestModel(schema, entity: entity, &random)
        }
        if !hasTotals { request.totals = [] }
        if kind == .manyLists, random.chance(90) { request.askForValue(&random) }
        if kind == .windows, random.chance(90) { request.becomeWindow(&random) }
        return request
    }

    /// The lists that can be shown in a collection: in every second world only lists with totals.
    var fetchedControllers: [FetchedResultsController] {
        controllers.filter { list in
            list.isFetched
                && (scenario == nil ? !wantsTotals || !list.request.totals.isEmpty : list.request.totals.isEmpty)
        }.map(\.controller)
    }

    // MARK: Fetching in the background

    /// Begins to fetch a list in the background: one that is shown, or one more.
    private func beginFetch() throws {
        try settle()
        gate.isOpen = random.chance(20) && kind != .corpus
        if random.chance(60),
            let controller = controllers.filter({ !$0.isFetching && !$0.isElsewhere }).randomElement(using: &random)
        {
            log.append("fetch in the background \(controller.request)")
            return try controller.beginFetch()
        }
        guard controllers.count < 9 else { return }
        let request = newRequest(random.pick([schema.items, schema.items, schema.lists, schema.tags]))
        log.append("fetch one more in the background \(request)")
        let controller = try Watched(request, self)
        controllers.append(controller)
        try controller.beginFetch()
    }

    /// Dispatches until no fetch is under way.
    func endFetches() throws {
        guard controllers.contains(where: \.isFetching) else { return }
        log.append("end fetches")
        gate.isOpen = true
        scenario?.step([("finish", true)])
        for _ in 0..<60 where controllers.contains(where: \.isFetching) { try store.wait(milliseconds: 1000) }
        for controller in controllers where controller.isFetching {
            note("a fetch does not end: \(controller.request)")
        }
        try settle()
    }

    /// Makes a list hold changes back, or deliver again.
    private func toggleHold() throws {
        try settle()
        let held = controllers.filter(\.isHeld)
        let controller = random.pick(held.isEmpty || random.chance(25) ? controllers : held)
        if controller.map != nil, random.chance(controller.isDisabled ? 80 : 40) {
            try controller.toggleDisabled()
        } else {
            try controller.togglePause()
        }
        settleCollection()
    }

    private func addMap() throws {
        var map = MapModel(schema, &random)
        if !hasTotals { map.sections.totals = [] }
        var items = RequestModel(schema, entity: schema.items, &random).asItems()
        if !hasTotals { items.totals = [] }
        log.append("fetch \(map), items \(items)")
        let controller = try Watched(map, items: items, self, elsewhere: random.chance(20) ? other : nil)
        try controller.fetch()
        for fault in controller.listFaults() { note("after the fetch: \(fault)") }
        controllers.append(controller)
    }

    /// Releases all lists, before the stores are closed or after, and notes the stores, which end
    /// with the world.
    func release(_ lifetimes: Lifetimes) {
        let lists = Lifetimes()
        if random.chance(50) { close() }
        for controller in controllers { controller.end(lists) }
        collection?.end(lists)
        for list in groups { list.end(lists) }
        for window in windows { window.end(lists) }
        (controllers, collection, groups, windows) = ([], nil, [], [])
        for list in lists.remaining { note("not released: \(list)") }
        for store in [store, other].compactMap(\.self) {
            lifetimes.note(store, "the store")
            lifetimes.note(store.delivery, "the delivery")
            lifetimes.note(store.connection, "the connection")
        }
        lifetimes.note(self, "the world")
    }

    func close() {
        try? store.close()
        try? other?.close()
        file?.remove()
    }

    /// A name for a list that is to be cached; nil where none can be.
    func newCacheName() -> String? {
        guard file != nil, scenario == nil else { return nil }
        cacheNames += 1
        return "list \(cacheNames)"
    }

    func note(_ fault: String) { faults.append(fault) }

    private func check(_ round: RoundTrace) {
        if round.lists.reduce(0, { $0 + $1.reading }) != round.times.reading { note("the times of \(round) differ") }
    }

    func log(_ step: String) { log.append(step) }

    /// Whether something is read: always, where others replay the run.
    func chance(_ percent: Int) -> Bool { random.chance(percent) || scenario != nil }

    /// Whether the store holds the state that the lists show, so that all rows can be read: in WAL
    /// mode, unless the schema was changed.
    var holdsState: Bool { store.delivery.foreign.main.withSnapshot { $0 != nil } }

    /// Whether own commits stay in the queue before the next step.
    private var leavesWaiting: Bool { isQueued && kind != .corpus && random.chance(50) }

    // MARK: Phases

    func willChange(_ controller: Watched) {
        if phase != .announcing {
            phase = .announcing
            looksBefore = random.chance(40) && kind != .corpus
            looksAfter = random.chance(30) && kind != .corpus
        }
        // Lists of the other store have had their round, or will have it after this one.
        guard looksBefore else { return }
        for other in random.some(controllers) where other.isElsewhere == controller.isElsewhere {
            for fault in other.listFaults() { note("while it will change: \(fault)\n    of \(other.request)") }
        }
    }

    /// Called with each record: all lists show the new state by now.
    func didSwitch() {
        guard phase == .announcing else { return }
        phase = .switched
        guard looksAfter else { return }
        for other in controllers {
            do {
                if try !other.showsNewState() {
                    note("a list shows the old state while others report the new one: \(other.request)")
                }
            } catch {
                note("in a callback: \(error)")
            }
        }
    }

    // MARK: Steps

    private func run(_ sql: String, _ parameters: [Value] = []) throws {
        let write = Write(sql, parameters)
        log.append(write.description)
        scenario?.step(write.step)
        try write.run(store)
    }

    /// Runs a step that may break a constraint.
    private func attempt(_ what: String, _ step: [(String, JSON)], _ body: () throws -> Void) {
        log.append(what)
        do {
            try body()
            scenario?.step(step)
        } catch let error as StoreError where [.constraint, .type, .notFound].contains(error.status) {
            scenario?.step(step, fails: error.status)
            log[log.count - 1] += "  -- \(error.message)"
        } catch {
            note("\(what): \(error)")
        }
    }

    private func writer(_ connection: Connection) -> Writer {
        Writer(schema: schema, connection: connection, isRepeated: kind == .corpus)
    }

    /// One random write, or a few; outside a transaction each has one of its own.
    private func write() throws {
        for write in writer(oracle.connection).randomWrites(&random) {
            attempt(write.description, write.step) { try write.run(store) }
            if try !store.isInTransaction, !isQueued { try settle() }
        }
    }

    /// One random step, after which every list is checked.
    func step() throws {
        try steps?.reverseSome(in: self)
        if let list = groups.randomElement(using: &groupSteps) {
            switch groupSteps.below(20) {
            case 0:
                log.append("fetch groups")
                try list.fetch()
            case 1, 2:
                log.append("pause or resume groups")
                try list.togglePause()
                // Where commits wait, all lists get them now.
                try settle()
            case 3, 4:
                try settle()
                log.append("change groups")
                try list.change(schema)
            default: break
            }
        }
        let searches = controllers.filter(\.request.searches)
        if !searches.isEmpty, random.chance(40) {
            log.append("open again")
            let list = random.pick(searches)
            if random.chance(70) { list.keep() }
            try list.openAgain()
        }
        switch random.below(kind == .background ? 190 : 130) {
        case 100..<106, 130..<166: try beginFetch()
        case 106..<110, 166..<176: try endFetches()
        case 110..<124, 176..<190: try toggleHold()
        case 0..<68: try transaction()
        case 68..<82: try write()
        case 82..<90:
            let controller = random.pick(controllers)
            try settle()
            guard !controller.isHeld else { break }
            if controller.map != nil, random.chance(50) {
                log.append("change sections")
                try controller.changeSections()
                settleCollection()
                break
            }
            var request = controller.request.varied(schema, &random)
            if controller.map != nil { request = request.asItems() }
            // Some replays of a scenario know columns by their numbers only.
            if scenario != nil, request.hasColumnsInOtherOrder(than: controller.request) {
                request.content = controller.request.content
            }
            log.append("set request \(request)")
            try controller.change(to: request)
            settleCollection()
        case 90..<94:
            let live = controllers.filter { !$0.isHeld }
            let controller = random.pick(live.isEmpty || random.chance(25) ? controllers : live)
            if !leavesWaiting { try settle() }
            if random.chance(60), kind != .corpus {
                log.append("keep")
                controller.keep()
                if random.chance(20) { try write() }
            }
            log.append("fetch again \(controller.request)")
            try controller.fetch()
            settleCollection()
        case 94..<97: try changeSchema()
        case 97, 124..<130:
            try settle()
            log.append("change children")
            collection?.changeChildren()
            settleCollection()
        default: try commitElsewhere()
        }
        if isQueued, random.chance(40) {
            for controller in controllers { controller.checkOldState() }
        } else {
            try settle()
        }
    }

    func settle() throws {
        if isQueued { try dispatch() }
        try dispatchElsewhere()
        phase = .settled
        for controller in controllers { controller.settle() }
        for list in groups { try list.settle() }
        for window in windows { window.settle() }
        changeWindows()
        settleCollection()
    }

    private func settleCollection() {
        collection?.settle()
        scenario?.settle()
    }

    /// Begins with the histories of all tables, or begins again after a change of the schema.
    private func startHistories() throws {
        guard kind == .history, !store.connection.isInTransaction else { return }
        for table in schema.tables { try store.startHistory(of: table.name) }
    }

    private func noteHistory(_ store: Store) {
        if store.delivery.known == .allButMain { historyRounds += 1 }
    }

    /// Delivers what waits. Where others replay the run, current fetches are then over: no other
    /// language can hold their threads.
    private func dispatch() throws {
        if scenario != nil, controllers.contains(where: \.isFetching) { return try endFetches() }
        log.append("dispatch")
        scenario?.step([("dispatch", true)])
        try store.dispatch()
        noteHistory(store)
    }

    /// Makes the lists of the second store take the commits of others.
    private func dispatchElsewhere() throws {
        guard let other, controllers.contains(where: \.isElsewhere) || groups.contains(where: \.isElsewhere)
        else { return }
        log.append("elsewhere: dispatch")
        scenario?.step([("dispatch", true), ("elsewhere", true)])
        try other.dispatch()
        noteHistory(other)
    }

    private func transaction() throws {
        let mode = random.pick([Store.TransactionMode.deferred, .immediate, .exclusive])
        log.append("BEGIN")
        scenario?.step([("begin", JSON("\(mode)"))])
        if let steps { try steps.begin(in: self) } else { try store.begin(mode) }
        defer { steps?.end(in: self) }
        var depth = 1
        for _ in 0...random.below(6) {
            guard try store.isInTransaction else { break }
            switch random.below(20) {
            case 0, 1:
                log.append("SAVEPOINT")
                scenario?.step([("begin", "immediate")])
                try store.begin()
                depth += 1
            case 2, 3:
                guard depth > 1 else { continue }
                depth -= 1
                if random.chance(50) {
                    log.append("RELEASE")
                    scenario?.step([("commit", true)])
                    try store.commit()
                } else {
                    log.append("ROLLBACK TO")
                    scenario?.step([("rollback", true)])
                    try store.rollback()
                }
            case 4 where random.chance(40) && (!isQueued || kind != .corpus):
                let controller = random.pick(controllers)
                log.append("fetch in transaction \(controller.request)")
                try controller.fetch()
            default:
                try write()
            }
            if random.chance(30) { random.pick(controllers).checkOldState() }
        }
        while try store.isInTransaction {
            depth -= 1
            if random.chance(80) {
                attempt("COMMIT", [("commit", true)]) { try store.commit() }
                if depth == 0, try store.isInTransaction { try rollBack() }
            } else {
                try rollBack()
            }
        }
    }

    /// A transaction of the other connection, if there is one.
    private func commitElsewhere() throws {
        guard let other else { return }
        let waits = leavesWaiting
        if !waits { try settle() }
        for controller in controllers { controller.loseTrack() }
        let elsewhere: (String, JSON) = ("elsewhere", true)
        log.append("elsewhere: BEGIN")
        scenario?.step([("begin", "immediate"), elsewhere])
        try other.begin()
        for _ in 0...random.below(3) where try other.isInTransaction {
            for write in writer(other.connection).randomWrites(&random) {
                attempt("elsewhere: \(write.description)", write.step + [elsewhere]) { try write.run(other) }
            }
        }
        if try other.isInTransaction {
            attempt("elsewhere: COMMIT", [("commit", true), elsewhere]) { try other.commit() }
        }
        if try other.isInTransaction {
            scenario?.step([("rollback", true), elsewhere])
            try other.rollback()
        }
        // A transaction that wrote nothing leaves what waits.
        if waits { try dispatchElsewhere() }
        for controller in controllers where controller.isElsewhere { controller.settle() }
        collection?.beginTransaction()
        for controller in controllers { controller.checkOldState() }
        if !isQueued { try dispatch() }
    }

    private func rollBack() throws {
        log.append("ROLLBACK")
        scenario?.step([("rollback", true)])
        try store.rollback()
    }

    private func changeSchema() throws {
        try settle()
        let number = log.count
        for controller in controllers { controller.loseTrack() }
        switch random.below(7) {
        case 0: try run("VACUUM")
        case 1:
            try run("CREATE INDEX \"index \(number)\" ON items(\(random.pick(["a", "\"b c\", a DESC", "list_id"])))")
        case 2: try run("CREATE TABLE \"other \(number)\" (x)")
        case 3: try run("ANALYZE")
        case 4: try run("PRAGMA user_version = \(number)")
        case 5:
            try write()
            try run("DROP INDEX IF EXISTS \"by a\"")
            // Lists by rank are ranked again with the first of the two.
            if kind == .search { try settle() }
            try write()
        default:
            try changeColumns(number)
        }
        if kind == .history, random.chance(80) { try startHistories() }
    }

    /// Adds a column, or renames or drops one that was added, perhaps together with a write.
    private func changeColumns(_ number: Int) throws {
        if random.chance(30) {
            log.append("BEGIN")
            scenario?.step([("begin", "immediate")])
            try store.begin()
            try write()
        }
        // A write that fails can have rolled the transaction back.
        let isTogether = try store.isInTransaction
        let entity = random.pick([schema.items, schema.lists])
        let columns = entity.columns
        let added = entity.columns.indices.filter { entity.columns[$0].name.hasPrefix("added ") }
        // The model first, as callbacks read it.
        switch added.isEmpty ? 0 : random.below(4) {
        case 1:
            let index = random.pick(added)
            entity.columns[index].name = "added \(number)"
            try run("ALTER TABLE \(entity.name) RENAME COLUMN \"\(columns[index].name)\" TO \"added \(number)\"")
        case 2:
            let index = random.pick(added)
            entity.columns.remove(at: index)
            try run("ALTER TABLE \(entity.name) DROP COLUMN \"\(columns[index].name)\"")
        default:
            // Some of the names are used again, and with them the columns that lists name.
            let name = "added \(random.chance(50) ? random.below(3) : number)"
            guard !entity.columns.contains(where: { $0.name == name }) else { break }
            let value = random.pick(["NULL", "7", "'x'"])
            entity.columns.append(EntityModel.Column(name: name, type: ""))
            try run("ALTER TABLE \(entity.name) ADD COLUMN \"\(name)\" DEFAULT \(value)")
        }
        guard isTogether else { return }
        // If it rolls the transaction back, it rolls the column back as well.
        for write in writer(oracle.connection).randomWrites(&random) where try store.isInTransaction {
            attempt(write.description, write.step) { try write.run(store) }
        }
        if try store.isInTransaction, random.chance(80) {
            attempt("COMMIT", [("commit", true)]) { try store.commit() }
            if try !store.isInTransaction { return }
        }
        if try store.isInTransaction { try rollBack() }
        entity.columns = columns
    }
}
