import ChangeSets
import OrderedTree
import SQLiteKit
import TestSupport

@testable import FetchedResults
@testable import ListEngine

/// One controller under test, with the contents that it has to show.
final class Watched: FetchedResultsObserver {
    let controller: FetchedResultsController
    /// Its number in the scenario that is written.
    let number: Int
    private let world: World
    private let store: Store
    /// Whether its store is the second one, to which all other commits are foreign.
    let isElsewhere: Bool
    private(set) var request: RequestModel
    /// The source of the sections, if it is a section map.
    private(set) var map: MapModel?
    private var sectionContent: [RequestModel.Path] = []
    /// Whether two sections have the same key, so that the list stays as it was.
    private var isFailing = false
    /// Whether its pause has just ended.
    private var wasResumed = false
    /// Whether the list catches up with a reload when nothing holds it back any more.
    private var endsWithReload = false
    private(set) var isFetched = false
    /// Whether it is being fetched in the background.
    private(set) var isFetching = false
    private var failures: [StoreError.Status] = []
    /// The columns that were determined when the request was fetched last.
    private(set) var content: [RequestModel.Path] = []
    /// The contents that the list has to show now.
    private(set) var shown = Picture(sections: [])
    /// Rows whose content the program received since the fetch.
    private(set) var given: Set<[Cell]> = []
    /// In a map: whether it received those of all sections' rows.
    private var areSectionRowsGiven = false
    private var knowledge = Knowledge.exact
    private var wasFetchedInTransaction = false

    private var deliveries: [Delivery] = []
    private var isInBracket = false
    private var changesToCome: ArraySlice<SectionChange> = []
    private var objectChangesToCome: ArraySlice<ObjectChange> = []
    private var single: [String] = []
    private var brokenOrder: [String] = []

    /// How often the list and its sections were read as a whole, when it was last settled.
    private var knownRereads = (list: 0, sections: 0)
    private var rereads: (list: Int, sections: Int) {
        let sections = controller.engine.mappedSections?.engine?.counters.rereads.values.reduce(0, +)
        return (controller.engine.counters.rereads.values.reduce(0, +), sections ?? 0)
    }

    /// The statistics of ranks with which it was compared last.
    private var statistics = Value.null

    /// How often that was because of other connections.
    private var knownForeignRereads = 0

    /// The name under which the list is cached.
    private let cacheName: String?

    init(_ request: RequestModel, _ world: World, elsewhere second: Store? = nil) throws {
        self.request = request
        self.world = world
        store = second ?? world.store
        isElsewhere = second != nil
        cacheName = isElsewhere ? nil : world.newCacheName()
        number = world.scenario?.newList() ?? 0
        world.scenario?.step(
            [("new", JSON(number)), ("request", JSON(request))] + (isElsewhere ? [("elsewhere", true)] : []))
        controller = try FetchedResultsController(
            store: store, request: request.request(cacheName), nodes: world.nodes)
        controller.addObserver(self)
    }

    init(_ map: MapModel, items: RequestModel, _ world: World, elsewhere second: Store? = nil) throws {
        request = items
        self.map = map
        self.world = world
        store = second ?? world.store
        isElsewhere = second != nil
        cacheName = isElsewhere ? nil : world.newCacheName()
        number = world.scenario?.newList() ?? 0
        world.scenario?.step(
            [("new", JSON(number)), ("request", JSON(items)), ("map", JSON(map))]
                + (isElsewhere ? [("elsewhere", true)] : []))
        if let keys = map.keys {
            controller = try SectionMap(
                store: store, items: items.request(cacheName), sectionKeys: keys, itemKey: map.itemKey.text,
                emptySections: map.emptySections, itemsWithoutSection: map.itemsWithoutSection, nodes: world.nodes)
        } else {
            controller = try SectionMap(
                store: store, items: items.request(cacheName), sections: map.sections.request,
                itemKey: map.itemKey.text, sectionKey: map.sectionKey, indexTitle: map.titleColumn,
                emptySections: map.emptySections,
                itemsWithoutSection: map.itemsWithoutSection, nodes: world.nodes)
        }
        controller.addObserver(self)
    }

    /// Ends watching.
    func end(_ lifetimes: Lifetimes) {
        controller.announcer.removeAllObservers()
        lifetimes.note(controller, "the list of \(request)")
        lifetimes.note(controller.engine, "its engine")
        if let sections = controller.engine.mappedSections?.engine { lifetimes.note(sections, "its sections' engine") }
    }

    /// The contents that the list has to show, with some statistics of ranks; nil if it can't.
    private func picture(_ statistics: Value) throws -> Picture? {
        guard request.isPossible, map?.isPossible ?? true else { return nil }
        let oracle = Oracle(connection: store.connection)
        guard let map else {
            var request = request
            let present = try request.presentStatistics(store.connection)
            if statistics != .null, statistics != present {
                request.statistics = statistics
                world.frozenRanks += 1
            }
            var picture = try oracle.picture(request, content: content)
            guard request.totalsOfAllRows else { return picture }
            let whole = try oracle.picture(request.unlimited, content: content)
            picture.summarized = whole.rows
            for index in picture.sections.indices {
                let key = picture.sections[index].key
                picture.sections[index].summarized = whole.sections.filter { $0.key == key }.flatMap(\.rows)
            }
            return picture
        }
        return try oracle.picture(map, sectionContent: sectionContent, request, content: content)
    }

    /// Determines the columns that the request leaves to the schema.
    private func settleContent() {
        content = settledContent()
        if let map, map.sections.content == nil { sectionContent = map.sectionContent }
    }

    // MARK: Steps

    private func settledContent() -> [RequestModel.Path] {
        request.shownContent ?? RequestModel.paths(request.entity).filter { !$0.isKeyPath }
    }

    private func discardGiven() {
        given = []
        areSectionRowsGiven = false
    }

    /// Notes that the list was fetched with the same request by others.
    func noteFetched() {
        guard isFetched else { return }
        discardGiven()
        knowledge = .exact
        knownRereads = rereads
        statistics = ownStatistics
    }

    func fetch() throws {
        let content = settledContent()
        let sectionContent = map?.sectionContent ?? []
        let previous = (self.content, self.sectionContent)
        (self.content, self.sectionContent) = (content, sectionContent)
        guard let new = try picture(.null) else {
            (self.content, self.sectionContent) = previous
            do {
                try controller.performFetch()
                note("two sections have the same key, or a column is not there, and the fetch succeeds")
            } catch let error as StoreError where [.constraint, .schema, .sql].contains(error.status) {
                world.scenario?.step([("fetch", JSON(number))], fails: error.status)
            }
            return
        }
        let cachedFetches = controller.engine.counters.cachedFetches
        world.scenario?.step([("fetch", JSON(number))])
        try controller.performFetch()
        let isCached = controller.engine.counters.cachedFetches > cachedFetches
        if isCached { world.cachedFetches += 1 }
        shown = isCached ? try spelledAsShown(new) : new
        isFetched = true
        isFailing = false
        endsWithReload = false
        discardGiven()
        knowledge = .exact
        knownRereads = rereads
        statistics = ownStatistics
        if try statistics != request.presentStatistics(store.connection) { note("old statistics after a fetch") }
        wasFetchedInTransaction = try store.isInTransaction || store.hasUndeliveredChanges
        _ = try totalChangeFault(from: shown, to: shown)
        if !deliveries.isEmpty || isInBracket { note("a fetch made callbacks") }
        deliveries = []
        noteShown()
    }

    /// Writes the contents of the list since its fetch, of which each row is read.
    private func noteShown() {
        guard let scenario = world.scenario else { return }
        scenario.fetched(number, shown, totals: recordedTotals(), of: totalSources())
        checkContents(mayBeGone: false, isOld: false, share: 100)
    }

    /// Begins to fetch the list in the background. Its end is noted inside `dispatch`.
    func beginFetch() throws {
        isFetching = true
        world.scenario?.step([("fetch", JSON(number)), ("background", true)])
        let cachedFetches = controller.engine.counters.cachedFetches
        try controller.performFetchAsynchronously { [unowned self] error in
            isFetching = false
            let isCached = controller.engine.counters.cachedFetches > cachedFetches
            do { try noteFetch(error, isCached: isCached) } catch { note("the test's own SELECT: \(error)") }
        }
        if case .reading? = controller.fetch?.state { world.backgroundFetches += 1 }
    }

    private func noteFetch(_ error: StoreError?, isCached: Bool) throws {
        // Deliveries before belong to the list that was shown before.
        settle(showsFetched: error == nil)
        let previous = (content, sectionContent)
        (content, sectionContent) = (settledContent(), map?.sectionContent ?? [])
        statistics = ownStatistics
        let new = try picture(statistics)
        guard let new, error == nil else {
            (content, sectionContent) = previous
            if new != nil || error?.status != .constraint {
                note("a fetch in the background: \(error.map { "\($0)" } ?? "done")")
            }
            return
        }
        shown = try spelledAsShown(new)
        isFetched = true
        isFailing = false
        endsWithReload = false
        discardGiven()
        _ = try totalChangeFault(from: shown, to: shown)
        for fault in listFaults() { note("after the fetch in the background: \(fault)") }
        if try hasOldRanks(statistics, new) { note("old ranks after a fetch in the background") }
        if world.chance(40) { checkContents(mayBeGone: false, isOld: false, share: 100) }
        world.scenario?.note(number, [], [], shown, totals: recordedTotals(), of: totalSources())
    }

    /// The contents of a list that was read at an earlier state, and has followed its sections
    /// since: these are spelled as they were when they came into being.
    private func spelledAsShown(_ picture: Picture) throws -> Picture {
        var result = picture
        for index in 0..<min(try controller.numberOfSections, picture.sections.count) {
            let section = try controller.section(at: index)
            guard section.rowValues.count > 0, let collation = request.section?.collation,
                Cell(section.rowValues, 0) != picture.sections[index].value,
                Cell(section.rowValues, 0).representative(collation) == picture.sections[index].key
            else { continue }
            result.sections[index].value = Cell(section.rowValues, 0)
            result.sections[index].name = section.name
        }
        return result
    }

    /// Whether it holds changes back, for one reason or another.
    var isHeld: Bool { controller.isPaused || isDisabled }
    var isDisabled: Bool { sectionMap?.isDisabled ?? false }
    private var sectionMap: SectionMap? { controller as? SectionMap }

    /// Whether it stays as it is, though the database changes.
    var isStale: Bool { isHeld || isFailing }

    func togglePause() throws {
        guard controller.isPaused else {
            world.log("pause \(request)")
            world.scenario?.step([("pause", JSON(number))])
            return try controller.setPaused(true)
        }
        let reload = world.random.chance(30)
        world.log("resume\(reload ? " with a reload" : "") \(request)")
        world.scenario?.step([("resume", JSON(number))] + (reload ? [("reload", true)] : []))
        endsWithReload = endsWithReload || reload && isFetched
        loseTrack()
        wasResumed = true
        try controller.resume(reload: reload)
        settle()
        wasResumed = false
    }

    /// Disables a map, or enables it.
    func toggleDisabled() throws {
        let isDisabled = isDisabled
        world.log("\(isDisabled ? "enable" : "disable") \(request)")
        world.scenario?.step([(isDisabled ? "enable" : "disable", JSON(number))])
        if isDisabled {
            endsWithReload = isFetched
            loseTrack()
        }
        wasResumed = isDisabled
        try sectionMap?.setDisabled(!isDisabled)
        settle()
        wasResumed = false
    }

    /// Caches the list as it is.
    func keep() { controller.cacheList() }

    /// Fetches the same list as a later start does, and compares it if it was cached.
    func openAgain() throws {
        guard isFetched, request.searches, cacheName != nil else { return }
        let again = try FetchedResultsController(
            store: store, request: request.request(cacheName), nodes: world.nodes)
        try again.performFetch()
        guard again.counters.cachedFetches > 0 else { return }
        world.openedAgain += 1
        let own = Self.statistics(of: again)
        guard let expected = try picture(own) else { return note("a list is cached that can't be read") }
        let found = try (0..<again.numberOfObjects).map { try again.object(at: again.indexPath(at: $0)).content?.cells }
        if found != expected.rows.map(\.content) { note("from the cache \(found), not\n\(expected)") }
        if try hasOldRanks(own, expected) { note("cached with old ranks") }
    }

    /// Shows other sections of a map.
    func changeSections() throws {
        guard var changed = map, let sectionMap, isFetched else { return }
        let previous = map
        knowledge = .newSections
        var step: [(String, JSON)] = [("change", JSON(number))]
        do {
            if changed.keys != nil, world.random.chance(60) {
                changed.changeKeys(&world.random)
                map = changed
                step.append(("keys", JSON(values: changed.keys ?? [])))
                try sectionMap.setSectionKeys(changed.keys ?? [])
            } else if world.random.chance(50) {
                changed.emptySections = world.random.pick([.shown, .hidden])
                map = changed
                step.append(("emptySections", JSON(changed.emptySections)))
                try sectionMap.setEmptySections(changed.emptySections)
            } else {
                changed.itemsWithoutSection = world.random.pick([.shown, .hidden, .alwaysShown])
                map = changed
                step.append(("itemsWithoutSection", JSON(changed.itemsWithoutSection)))
                try sectionMap.setItemsWithoutSection(changed.itemsWithoutSection)
            }
            world.scenario?.step(step)
        } catch {
            world.scenario?.step(step, fails: (error as? StoreError)?.status)
            map = previous
            if !isFailing { note("sections: \(error)") }
        }
        settle()
    }

    func change(to request: RequestModel) throws {
        if !isFetched, isFetching {
            self.request = request
            world.scenario?.step([("change", JSON(number)), ("request", JSON(request))])
            return try controller.setRequest(request.request(cacheName))
        }
        guard isFetched, !isFailing, request.isPossible else { return }
        let previous = self.request
        self.request = request
        knowledge = .newRequest
        let old = shown
        shown = old.recoded(by: request.section?.collation)
        world.scenario?.step([("change", JSON(number)), ("request", JSON(request))])
        do {
            try controller.setRequest(request.request(cacheName))
        } catch {
            self.request = previous
            shown = old
            note("setRequest: \(error)")
        }
        settle()
        if try store.isInTransaction { wasFetchedInTransaction = true }
    }

    /// From here until the next delivery, hooks may miss changes.
    func loseTrack() { if knowledge == .exact { knowledge = .listsOnly } }

    // MARK: Checking

    private func note(_ fault: String) { world.note("\(fault)\n    of \(map.map { "\($0), " } ?? "")\(request)") }

    /// Compares the deliveries and the present contents with the database. Called when the list
    /// ought to be up to date.
    ///
    /// - Parameter showsFetched: Whether the list was fetched since, so that only the deliveries
    ///   before are compared.
    func settle(showsFetched: Bool = false) {
        if isHeld { return settlePaused(showsFetched) }
        do {
            if request.isUnobserved || wasFetchedInTransaction || isElsewhere { loseTrack() }
            guard isFetched else { return }
            let old = shown
            let columns = (rows: content.map(\.text), sections: sectionContent.map(\.text))
            let previous = (content, sectionContent)
            settleContent()
            let shownStatistics = showsFetched ? deliveries.last?.statistics ?? statistics : ownStatistics
            guard let new = try picture(shownStatistics) else {
                (content, sectionContent) = previous
                return settleFailing()
            }
            if !showsFetched, let fault = try statisticsFault(shownStatistics, new) { note(fault) }
            statistics = shownStatistics
            if isFailing { loseTrack() }
            isFailing = false
            failures = []
            if deliveries.count < 2, let fault = try totalChangeFault(from: old, to: new) { note(fault) }
            let isReloaded = deliveries.first?.changeSet.isReload ?? false
            if endsWithReload != isReloaded { note(isReloaded ? "a reload that nothing asked for" : "no reload") }
            endsWithReload = false
            shown = isReloaded ? new : new.spelled(as: old)
            let isHazy = request.entity.hasHazyImages || content.contains(where: \.isVirtual)
            let check = DeliveryCheck(
                old: old, new: shown, columns: (columns.rows, content.map(\.text)),
                hasSameSectionColumns: columns.sections == sectionContent.map(\.text), knowledge: knowledge,
                given: given, areSectionRowsGiven: areSectionRowsGiven,
                knowsDeleted: request.dependsOnOwnRowsOnly && map?.itemsWithoutSection != .hidden && !isHazy
                    && !content.contains(where: \.isKeyPath), isHazy: isHazy,
                knowsOldKeys: !request.isSelect
                    && (world.nodes.keyHashMask != 0 || rereads.list == knownRereads.list),
                knowsTouchedKeys: store.delivery.known != .allButMain
                    && (!request.ordersByRank || store.delivery.foreign.main.withSnapshot { $0 != nil }),
                knowsOldSections: world.nodes.keyHashMask != 0 || rereads.sections == knownRereads.sections)
            if request.isWindow, rereads == knownRereads, !deliveries.isEmpty { world.followedWindows += 1 }
            if request.searches, rereads == knownRereads, !deliveries.isEmpty { world.followedSearches += 1 }
            let foreignRereads = controller.engine.counters.rereads[.foreign] ?? 0
            if foreignRereads > knownForeignRereads, !deliveries.isEmpty { world.wholeRereads += 1 }
            knownForeignRereads = foreignRereads
            knownRereads = rereads
            if deliveries.count > 1 { note("\(deliveries.count) brackets for one transaction") }
            if isInBracket { note("a bracket was not ended") }
            if isReloaded {
                discardGiven()
            } else if let delivery = deliveries.first, delivery.changeSet.isEmpty, !delivery.changes.totals.isEmpty {
                for fault in check.faultsOfSilence() { note(fault) }
            } else if var delivery = deliveries.first {
                if !showsFetched, world.chance(50) { delivery.look() }
                let faults = check.faults(of: delivery)
                for fault in faults { note("\(fault)\n    in \(delivery.changeSet)\n    from\n\(old)    to\n\(shown)") }
                if delivery.objects != nil, faults.isEmpty {
                    given.formUnion(
                        delivery.changeSet.objectChanges.compactMap {
                            $0.newPath.map { shown.sections[$0.section].rows[$0.row].id }
                        })
                }
            } else {
                for fault in check.faultsOfSilence() { note(fault) }
            }
            given.formIntersection(shown.rows.map(\.id))
            world.scenario?.note(
                number, deliveries.map(\.changes), [], shown, totals: recordedTotals(), of: totalSources())
            if !showsFetched { checkList() }
        } catch {
            note("the test's own SELECT: \(error)")
        }
        deliveries = []
        knowledge = .exact
        wasFetchedInTransaction = false
    }

    /// The statistics of ranks that the library has.
    private var ownStatistics: Value { Self.statistics(of: controller) }

    private static func statistics(of list: FetchedResultsController) -> Value {
        list.engine.compiled.statistics.map { .blob($0.bytes) } ?? .null
    }

    /// Whether a list has statistics of another state than the one in which it was read as a whole.
    private func statisticsFault(_ own: Value, _ new: Picture) throws -> String? {
        guard request.ranks else { return nil }
        let present = try request.presentStatistics(store.connection)
        if own == present {
            let isNew = own != statistics && statistics != .null
            if isNew, knowledge != .newRequest { world.renewedRanks += 1 }
            return isNew && rereads.list == knownRereads.list ? "new statistics, though no row was read again" : nil
        }
        if own != statistics { return "statistics that the list did not have, nor has the database" }
        if own == .null { return "rows have ranks without statistics" }
        let isOld = try knowledge == .newRequest && !new.rows.isEmpty || hasOldRanks(own, new)
        return isOld ? "the ranks are not the present ones" : nil
    }

    /// Whether a list that tolerates nothing has other statistics than the present ones.
    private func hasOldRanks(_ own: Value, _ shown: Picture) throws -> Bool {
        guard request.rankTolerance == 0, !shown.rows.isEmpty else { return false }
        return try own != request.presentStatistics(store.connection)
    }

    private func checkList() {
        for fault in listFaults() { note(fault) }
        if world.chance(40) { checkContents(mayBeGone: false, isOld: false, share: 100) }
        if map != nil {
            for fault in sectionObjectFaults() { note(fault) }
            areSectionRowsGiven = true
        }
        if let list = controller.engine.list { for fault in list.rows.checkInvariants() { note("tree: \(fault)") } }
    }

    /// Checks that a paused list stays as it was.
    private func settlePaused(_ showsFetched: Bool) {
        if !deliveries.isEmpty { note("paused, and there is a delivery") }
        deliveries = []
        if !showsFetched { compareOldState() }
        if isFetched {
            world.scenario?.note(
                number, [], failures, shown, totals: recordedTotals(), of: totalSources(), isStale: true)
        }
        failures = []
    }

    /// Checks that a list which can't follow the database stays as it was, and reports this once.
    private func settleFailing() {
        if !deliveries.isEmpty { note("the list can't follow, and there is a delivery") }
        // A list that is due after a pause reports it again.
        let counts = isFailing ? 0...(wasResumed ? 1 : 0) : 1...1
        if !counts.contains(failures.count) { note("reported the failure \(failures.count) times") }
        world.scenario?.note(number, [], failures, shown, totals: recordedTotals(), of: totalSources(), isStale: true)
        isFailing = true
        endsWithReload = false
        failures = []
        deliveries = []
        knowledge = .exact
        for fault in listFaults() { note("while it fails: \(fault)") }
    }

    /// Reads the list while the database has changed, but nothing was delivered.
    func checkOldState() {
        guard !isElsewhere else { return }
        if isFetched { world.scenario?.step([("look", JSON(number))]) }
        // Nothing shows the state of a transaction that is under way.
        let isKnown = !wasFetchedInTransaction || world.isQueued
        compareOldState(mayBeGone: !(world.holdsState && isKnown && !isHeld && !isFailing))
    }

    private func compareOldState(mayBeGone: Bool = true) {
        guard isFetched else { return }
        for fault in listFaults() { note("before the delivery: \(fault)") }
        checkContents(mayBeGone: mayBeGone, isOld: true, share: 30)
    }

    /// The totals of the list, then those of its sections, by what identifies these.
    private var shownTotals: [Cell?: [Value]] = [:]

    /// Compares the totals that a delivery reports as changed with those that differ.
    private func totalChangeFault(from old: Picture, to new: Picture) throws -> String? {
        let former = shownTotals
        shownTotals = [:]
        guard !request.totals.isEmpty else { return nil }
        shownTotals[nil] = try controller.totals().values
        for (index, section) in new.sections.enumerated() {
            guard let key = section.key else { continue }
            shownTotals[key] = try controller.totals(ofSection: index).values
        }
        let changes = deliveries.first?.changes
        guard knowledge != .newRequest, changes?.isReload != true, let before = former[nil] else { return nil }
        var expected: Set<String> = []
        for (key, totals) in shownTotals {
            guard let before = former[key], before.count == totals.count else { continue }
            for (index, (old, new)) in zip(before, totals).enumerated() where Cell(old) != Cell(new) {
                expected.insert("\(key.map { "\($0)" } ?? "-") \(request.totals[index].total.name) \(old) \(new)")
            }
        }
        _ = before
        let found = (changes?.totals ?? []).map { change in
            let key = change.newSection.flatMap { new.sections[$0].key }
            return "\(key.map { "\($0)" } ?? "-") \(change.name) \(change.oldValue) \(change.newValue)"
        }
        return Set(found) == expected && found.count == expected.count
            ? nil : "the totals \(found.sorted()) are reported, not \(expected.sorted())"
    }

    /// The totals of the list and then of its sections, for the scenario; nil if there are none.
    private func recordedTotals() -> [[Cell]]? {
        guard world.scenario != nil, !request.totals.isEmpty else { return nil }
        do {
            return try ([nil] + (0..<controller.numberOfSections).map(Optional.some)).map {
                RowValues(try controller.totals(ofSection: $0).values ?? []).cells
            }
        } catch {
            note("totals: \(error)")
            return nil
        }
    }

    /// What the totals summarize, as the oracle has it: of each row its section and a value for
    /// each total. nil if there are none, or the list does not show all of it.
    private func totalSources() -> [[Cell]]? {
        guard world.scenario != nil, !request.totals.isEmpty else { return nil }
        let columns = request.totals.map { $0.argument.map { path in content.firstIndex { $0.text == path.text } } }
        if columns.contains(.some(nil)) { return nil }
        return shown.sections.enumerated().flatMap { section, each in
            each.rows.map { row in
                let values = zip(request.totals, columns).map { total, column -> Cell in
                    guard let value = column.flatMap({ $0 }).map({ row.content[$0] }) else { return .integer(1) }
                    return total.total.function == .count ? .integer(value == .null ? 1 : 0) : value
                }
                return [.integer(Int64(section))] + values
            }
        }
    }

    /// The values that a total summarizes; nil if the rows do not show them.
    private func values(_ total: Total, _ argument: RequestModel.Path?, _ rows: [Picture.Row]) -> [Cell]? {
        guard let argument else { return rows.map { _ in .integer(1) } }
        guard let column = content.firstIndex(where: { $0.text == argument.text }) else { return nil }
        let values = rows.map { $0.content[column] }
        return total.function == .count ? values.map { .integer($0 == .null ? 1 : 0) } : values
    }

    /// The totals of the list with the values that they summarize; nil if the list can't be judged.
    var summarized: [(total: Total, collation: TextOrder, values: [Cell])]? {
        guard knowledge != .newRequest, !isFailing, controller.deliveryFailure == nil else { return nil }
        var result: [(total: Total, collation: TextOrder, values: [Cell])] = []
        for (total, argument) in request.totals {
            guard let values = values(total, argument, shown.summarized ?? shown.rows) else { return nil }
            result.append((total, argument?.collation ?? .binary, values))
        }
        return result
    }

    /// The first total that is not that of the rows shown, of the list or of a section.
    private func totalFault() throws -> String? {
        guard !request.totals.isEmpty, knowledge != .newRequest, try controller.numberOfSections == shown.sections.count
        else { return nil }
        let judge = try TotalJudge(store.connection)
        for section in [nil] + shown.sections.indices.map(Optional.some) {
            let rows =
                section.map { shown.sections[$0].summarized ?? shown.sections[$0].rows }
                ?? shown.summarized ?? shown.rows
            let found = try controller.totals(ofSection: section).values ?? []
            guard found.count == request.totals.count else { return "there are \(found.count) totals" }
            for (index, (total, argument)) in request.totals.enumerated() {
                guard let values = self.values(total, argument, rows) else { continue }
                let collation = argument?.collation ?? .binary
                let cell = Cell(found[index]).representative(
                    [.min, .max].contains(total.function) ? collation : .binary)
                let expected = try judge.total(total.function, values, collation)?.representative(.binary)
                let isSame =
                    [.min, .max].contains(total.function) ? cell == expected : cell.representative(.binary) == expected
                if !isSame {
                    let place = section.map { "\($0)" } ?? "-"
                    return "\(total) of section \(place) is \(cell), not \(String(describing: expected))"
                }
            }
        }
        return nil
    }

    /// The faults of the list: counts, sections, identities, index paths.
    func listFaults() -> [String] {
        guard isFetched else { return [] }
        do {
            if let fault = try totalFault() { return [fault] }
            let lists = try (0..<controller.numberOfSections).map { try controller.numberOfObjects(inSection: $0) }
            guard lists == shown.sections.map(\.rows.count) else {
                return ["sections have \(lists) rows, not \(shown.sections.map(\.rows.count))"]
            }
            var faults: [String] = []
            var flat = 0
            for (index, section) in shown.sections.enumerated() {
                let info = try controller.section(at: index)
                let value = info.rowValues.count == 0 ? nil : Cell(info.rowValues, 0)
                if value != section.value || info.name != section.name || info.numberOfObjects != section.rows.count {
                    faults.append(
                        "section \(index) is \(word(value)) named \(word(info.name)), not \(word(section.value)) named \(word(section.name))"
                    )
                }
                for (row, expected) in section.rows.enumerated() {
                    let path = ListIndexPath(section: index, row: row)
                    let found = try controller.indexPath(ofIdentity: expected.identity)
                    if found != path {
                        faults.append("\(expected.identity) is at \(String(describing: found)), not \(path)")
                    }
                    if try controller.index(of: path) != flat { faults.append("\(path) is not number \(flat)") }
                    if try controller.indexPath(at: flat) != path { faults.append("number \(flat) is not \(path)") }
                    flat += 1
                }
            }
            if try controller.numberOfObjects != flat {
                faults.append("\(try controller.numberOfObjects) objects, not \(flat)")
            }
            return faults + (try titleFaults())
        } catch {
            return ["\(error)"]
        }
    }

    /// The faults of the rows of a section map's sections.
    private func sectionObjectFaults() -> [String] {
        do {
            return try shown.sections.enumerated().compactMap { index, section in
                let object = try controller.sectionObject(at: index)
                guard section.isRow else { return object == nil ? nil : "the last section has a row" }
                return object?.content?.cells == section.content
                    ? nil : "section \(index) is the row \(object?.content?.cells ?? []), not \(section.content)"
            }
        } catch {
            return ["section objects: \(error)"]
        }
    }

    private func word(_ value: Any?) -> String { value.map { "\($0)" } ?? "none" }

    private func titleFaults() throws -> [String] {
        var titles: [String] = []
        var sections: [Int] = []
        for (index, section) in shown.sections.enumerated() {
            guard let title = section.indexTitle, !titles.contains(title) else {
                continue
            }
            titles.append(title)
            sections.append(index)
        }
        let found = try controller.sectionIndexTitles
        guard found == titles else { return ["index titles \(found), not \(titles)"] }
        return try titles.enumerated().compactMap { index, title in
            let section = try controller.section(forIndexTitle: title, at: index)
            return section == sections[index]
                ? nil : "title \(title) leads to \(String(describing: section)), not \(sections[index])"
        }
    }

    private func checkContents(mayBeGone: Bool, isOld: Bool, share: Int) {
        // With this batch size all rows of a view or SELECT are run through, however cheap a search
        // is.
        if request.batchSize == 3 { controller.engine.compiled.content.reader.costs?.alwaysScans = true }
        for (section, rows) in shown.sections.map(\.rows).enumerated() {
            for (row, expected) in rows.enumerated() where world.chance(share) {
                let path = ListIndexPath(section: section, row: row)
                do {
                    // Known without the row, so never gone.
                    let identity: [Value]
                    do { identity = try controller.identity(at: path) } catch {
                        note("\(path) has no identity: \(error)")
                        continue
                    }
                    let object = try controller.object(at: path)
                    if identity != object.identity {
                        note("\(path) has the identity \(identity), not \(object.identity)")
                    }
                    given.insert(expected.id)
                    if (object.content?.cells ?? []) != expected.content {
                        note(
                            "\(path) shows \(object.content?.cells ?? []), not \(expected.content)\(isOld ? " as before" : "")"
                        )
                    }
                    if object.columns != content.map(\.text) { note("\(path) has the columns \(object.columns)") }
                    if try controller.indexPath(of: object) != path { note("\(object) is not found at \(path)") }
                } catch let error as StoreError where mayBeGone && error.status == .gone {
                } catch {
                    note("\(path): \(error)")
                }
            }
        }
    }

    // MARK: Callbacks

    func listWillChange(_ controller: any LiveList) {
        if isInBracket { note("two brackets at the same time") }
        isInBracket = true
        single = []
        world.willChange(self)
    }

    func list(
        _ controller: any LiveList, didChange section: SectionInfo, _ change: SectionChange, in changes: ListChanges
    ) {
        single.append("\(change) with \(section.numberOfObjects)")
        if !isElsewhere { world.didSwitch() }
    }

    func list(
        _ controller: any LiveList, didChange object: FetchedObject?, _ change: ObjectChange, in changes: ListChanges
    ) {
        single.append("\(change)")
        if !isElsewhere { world.didSwitch() }
    }

    func list(_ controller: any LiveList, didDeliver changes: ListChanges) {
        var broken = isInBracket ? [] : ["records outside of a bracket"]
        let expected =
            changes.changeSet.sectionChanges.map { change in
                "\(change) with \((try? change.newIndex.map(controller.numberOfObjects(inSection:)) ?? 0) ?? -1)"
            } + changes.changeSet.objectChanges.map(\.description)
        if wantsSingleChanges, single != expected { broken.append("single changes \(single), not \(expected)") }
        if !isElsewhere { world.didSwitch() }
        deliveries.append(
            Delivery(changes, brokenOrder: broken, statistics: ownStatistics, looks: world.chance(30)))
    }

    func listDidChange(_ controller: any LiveList) { isInBracket = false }

    func list(_ controller: any LiveList, didFail error: StoreError) {
        let isImpossible = !request.isPossible || !(map?.isPossible ?? true)
        if map != nil && error.status == .constraint || isImpossible {
            failures.append(error.status)
        } else {
            note("failed: \(error)")
        }
    }

    lazy var wantsSingleChanges: Bool = world.chance(50)

    /// Whether the list already shows what the database holds.
    func showsNewState() throws -> Bool {
        guard isFetched, !isHeld, !isElsewhere else { return true }
        let previous = (content, sectionContent)
        settleContent()
        defer { (content, sectionContent) = previous }
        guard let new = try picture(ownStatistics) else { return true }
        let old = shown
        // A reload spells the sections as a fetch does.
        shown = endsWithReload ? new : new.spelled(as: old)
        defer { shown = old }
        return listFaults().isEmpty
    }
}
