import ChangeSets
import SQLiteKit
import TestSupport

@testable import FetchedResults

/// A list of groups under test, judged by GROUP BY, and by exact sums of the rows.
final class WatchedGroups: FetchedResultsObserver {
    private struct Argument {
        let total: Total
        /// Its expression in the test's own SQL.
        let sql: String
        let collation: TextOrder
    }

    /// What one group has to show.
    private struct Expected: Equatable {
        let key: [Cell]
        var totals: [Cell]
    }

    let controller: FetchedResultsController
    /// Its number in the scenario that is written.
    private let number: Int
    private var deliveries: [ListChanges] = []
    private var reported: [StoreError.Status] = []
    /// Whether its store is the second one.
    let isElsewhere: Bool
    private let world: World
    private var random: SeededRandom
    private var model: RequestModel
    private let keys: [RequestModel.Path]
    private let arguments: [Argument]
    private var least: Int
    /// The rows of the list as it was last seen.
    private var shown: [[Cell]] = []
    private var isFailing = false
    private var failures = 0
    private(set) var isFetched = false
    /// The number of rounds that were followed row by row.
    private(set) var followed = 0

    init(_ schema: Schema, _ world: World, elsewhere: Store?, _ random: consuming SeededRandom) throws {
        let entity = random.pick([schema.items, schema.items, schema.lists, schema.tags, schema.view ?? schema.items])
        model = RequestModel(schema, entity: entity, &random)
        let paths = RequestModel.paths(entity).filter { !$0.text.contains("added") }
        func path(_ random: inout SeededRandom) -> RequestModel.Path {
            let path = random.pick(paths)
            return random.chance(20) ? RequestModel.expression(path, &random) : path
        }
        var keys: [RequestModel.Path] = []
        for _ in 0...random.below(2) {
            let key = path(&random)
            if !keys.contains(where: { isSameName($0.text, key.text) }) { keys.append(key) }
        }
        self.keys = keys
        arguments = (0..<random.below(6)).map { index in
            let path = path(&random)
            let function = random.pick(Total.Function.allCases)
            if function == .count {
                if random.chance(50) {
                    return Argument(total: Total("total \(index)", .count), sql: "1", collation: .binary)
                }
                return Argument(
                    total: Total("total \(index)", .count, of: path.base == nil ? "\(path.reference) > 1" : path.text),
                    sql: path.base == nil ? "(\(path.sql)) COLLATE \(path.collation.rawValue) > 1" : path.sql,
                    collation: .binary)
            }
            return Argument(
                total: Total("total \(index)", function, of: path.text), sql: path.sql, collation: path.collation)
        }
        least = random.below(3)
        self.world = world
        isElsewhere = elsewhere != nil
        self.random = random
        let request = Self.request(model, keys, arguments, least: least)
        number = world.scenario?.newList() ?? 0
        world.scenario?.step(
            [("new", JSON(number)), ("request", Self.json(request, keys, arguments))]
                + (isElsewhere ? [("elsewhere", true)] : []))
        controller = try FetchedResultsController(
            store: elsewhere ?? world.store, request: request, nodes: world.nodes)
        controller.addObserver(self)
    }

    private static func request(
        _ model: RequestModel, _ keys: [RequestModel.Path], _ arguments: [Argument], least: Int
    ) -> FetchRequest {
        var request = FetchRequest(entity: model.entity.name)
        if model.entity.isView { request.identity = model.entity.key.map(\.name) }
        (request.predicate, request.parameters) = (model.request.predicate, model.request.parameters)
        if model.isSelect {
            request.predicate = model.predicate?.text
            request.parameters = .positional(model.predicate?.parameters ?? [])
        }
        request.groupBy = keys.map(\.text)
        request.totals = arguments.map(\.total) + [Total("rows", .count)]
        if least > 0 {
            request.having = "\"rows\" > ?"
            request.havingParameters = .positional([.integer(Int64(least))])
        }
        request.sorts = [Sort("rows", isDescending: true)]
        return request
    }

    private static func json(_ request: FetchRequest, _ keys: [RequestModel.Path], _ arguments: [Argument]) -> JSON {
        JSON(
            groups: request, keys: keys,
            totals: arguments.map { ($0.total, $0.collation) } + [(Total("rows", .count), .binary)])
    }

    // MARK: Steps

    func fetch() throws {
        let step = [("fetch", JSON(number))]
        do {
            try controller.performFetch()
            (isFetched, isFailing) = (true, false)
            shown = try rows()
            world.scenario?.step(step)
            try world.scenario?.fetched(number, picture(), of: source())
        } catch let error as StoreError where error.message.contains("overflow") {
            isFailing = isFetched
            world.scenario?.step(step, fails: error.status)
        }
    }

    func togglePause() throws {
        world.scenario?.step([(controller.isPaused ? "resume" : "pause", JSON(number))])
        try controller.setPaused(!controller.isPaused)
    }

    func change(_ schema: Schema) throws {
        guard isFetched, !controller.isPaused, !isFailing else { return }
        let previous = (model, least)
        if random.chance(60) { model = model.varied(schema, &random) }
        if random.chance(50) { least = random.below(3) }
        let request = Self.request(model, keys, arguments, least: least)
        let step = [("change", JSON(number)), ("request", Self.json(request, keys, arguments))]
        do {
            try controller.setRequest(request)
            world.scenario?.step(step)
        } catch let error as StoreError where error.message.contains("overflow") {
            (model, least) = previous
            world.scenario?.step(step, fails: error.status)
        }
    }

    /// Compares the list with the database.
    func settle() throws {
        guard isFetched else { return }
        try compare()
        let isStale = controller.isPaused || isFailing
        try world.scenario?.note(
            number, deliveries, reported, picture(), of: isStale ? nil : source(), isStale: isStale)
        (deliveries, reported) = ([], [])
    }

    private func compare() throws {
        let rows = try rows()
        if rows != shown { note("it shows \(rows), though its last delivery led to \(shown)") }
        guard !controller.isPaused else { return }
        guard let expected = try expected() else {
            if controller.deliveryFailure == nil { note("an overflow is no failure") }
            isFailing = true
            return
        }
        isFailing = false
        if let failure = controller.deliveryFailure { note("it fails: \(failure)") }
        let counts = rows.compactMap { row -> Int64? in if case .integer(let count)? = row.last { count } else { nil } }
        if counts != counts.sorted(by: >) { note("its groups are not in order: \(rows)") }
        // Strings that Unicode defines as equivalent are different keys.
        func sorted(_ rows: [Expected]) -> [Expected] {
            rows.sorted { "\($0.key)".utf8.lexicographicallyPrecedes("\($1.key)".utf8) }
        }
        let found = sorted(rows.map { Expected(key: key(Array($0[..<keys.count])), totals: totals($0)) })
        if found != sorted(expected) { note("it shows \(found), not \(sorted(expected))") }
    }

    func end(_ lifetimes: Lifetimes) {
        controller.announcer.removeAllObservers()
        lifetimes.note(controller, "the groups")
        lifetimes.note(controller.engine, "the groups' engine")
    }

    private func note(_ fault: String) {
        world.note("groups of \(model), by \(keys.map(\.text)), \(arguments.map(\.total)), over \(least): \(fault)")
    }

    // MARK: The database

    private func rows() throws -> [[Cell]] {
        try (0..<controller.numberOfObjects).map {
            try controller.object(at: controller.indexPath(at: $0)).content?.cells ?? []
        }
    }

    /// What the list shows, which `settle` has compared.
    private func picture() throws -> Picture {
        let objects = try (0..<controller.numberOfObjects).map {
            try controller.object(at: controller.indexPath(at: $0))
        }
        let rows = objects.map { object in
            Picture.Row(
                id: [], identity: object.identity, sortValues: [], sortKeys: [],
                content: RowValues(object.values ?? []).cells)
        }
        return Picture(sections: [Picture.Section(rows: rows)])
    }

    /// The keys and the arguments of all rows.
    private func source() throws -> [[Cell]] {
        guard world.scenario != nil else { return [] }
        let values = keys.map(\.sql) + arguments.map(\.sql)
        let statement = try controller.store.connection.prepare(
            "SELECT \(values.joined(separator: ", "))\(model.plainSource)")
        try statement.bind(model.predicate?.parameters ?? [])
        var rows: [[Cell]] = []
        while try statement.step() { rows.append(statement.rowValues(from: 0, count: values.count).cells) }
        return rows
    }

    private func key(_ cells: [Cell]) -> [Cell] { zip(cells, keys).map { $0.representative($1.collation) } }

    /// The totals of a row as values that are equal only if the totals are.
    private func totals(_ row: [Cell]) -> [Cell] {
        row[keys.count...].enumerated().map { index, cell in
            guard index < arguments.count, [.min, .max].contains(arguments[index].total.function) else { return cell }
            // The judge repairs texts that are not valid.
            return Cell(cell.value).representative(arguments[index].collation)
        }
    }

    /// What the groups have to show; nil if a sum exceeds 64 bits.
    private func expected() throws -> [Expected]? {
        let connection = controller.store.connection
        let values = keys.map(\.sql) + arguments.map(\.sql)
        let statement = try connection.prepare("SELECT \(values.joined(separator: ", "))\(model.plainSource)")
        try statement.bind(model.predicate?.parameters ?? [])
        var groups: [[Cell]: [RowValues]] = [:]
        while try statement.step() {
            let row = statement.rowValues(from: 0, count: values.count)
            groups[key((0..<keys.count).map { Cell(row, $0) }), default: []].append(row)
        }
        let judge = try TotalJudge(connection)
        var result: [Expected] = []
        for (key, rows) in groups {
            var totals: [Cell] = []
            for (index, argument) in arguments.enumerated() {
                let values = rows.map { Cell($0, keys.count + index) }
                guard let total = try judge.total(argument.total.function, values, argument.collation) else {
                    return nil
                }
                totals.append(total)
            }
            if rows.count > least { result.append(Expected(key: key, totals: totals + [.integer(Int64(rows.count))])) }
        }
        return result
    }

    // MARK: Callbacks

    func listWillChange(_ list: any LiveList) {
        do {
            let rows = try rows()
            if rows != shown { note("while it will change it shows \(rows), not \(shown)") }
        } catch { note("while it will change: \(error)") }
    }

    func list(_ list: any LiveList, didDeliver changes: ListChanges) {
        do {
            let new = try rows()
            if world.scenario != nil { deliveries.append(changes) }
            if !changes.isReload { check(changes, shown, new) }
            shown = new
        } catch { note("after a delivery: \(error)") }
    }

    func list(_ list: any LiveList, didFail error: StoreError) {
        if world.scenario != nil { reported.append(error.status) }
        if !error.message.contains("overflow") { note("failed: \(error)") }
    }

    /// Checks that the records lead from the old rows to the new ones, and say what changed.
    private func check(_ changes: ListChanges, _ old: [[Cell]], _ new: [[Cell]]) {
        followed += 1
        var left = Set(old.indices)
        var come = Set(new.indices)
        var pairs: [(Int, Int)] = []
        for change in changes.changeSet.objectChanges {
            if let path = change.oldPath { left.remove(Int(path.row)) }
            if let path = change.newPath { come.remove(Int(path.row)) }
            if let oldPath = change.oldPath, let newPath = change.newPath {
                let (a, b) = (old[Int(oldPath.row)], new[Int(newPath.row)])
                if key(Array(a[..<keys.count])) != key(Array(b[..<keys.count])) { note("\(change) joins two groups") }
                let differing = a.indices.filter { a[$0] != b[$0] }
                if change.changedColumns.columns.map(Array.init) != differing { note("\(change) of \(a) to \(b)") }
                // Values repair texts that are not valid.
                if changes.oldValues(of: change) != a.map(\.value) {
                    note("\(change) has other old values than \(a)")
                }
            }
        }
        pairs = Array(zip(left.sorted(), come.sorted()))
        if left.count != come.count || pairs.contains(where: { old[$0.0] != new[$0.1] }) {
            note("\(changes.summary) does not lead from \(old) to \(new)")
        }
    }
}
