import FetchedResults
import SQLiteKit
import TestSupport

/// A random request, in the library's form and, independently, in SQL with joins.
struct RequestModel {
    /// A column, a key path, or an expression over one: its text in the request, and its expression
    /// in the test's own SQL.
    struct Path {
        let text: String
        let sql: String
        let collation: TextOrder
        let isKeyPath: Bool
        let isVirtual: Bool
        /// The column or key path of an expression.
        var base: String?
        /// Whether it is about the matches of a full-text index.
        var isAboutMatches = false

        /// How an expression names the column or key path.
        var reference: String {
            let prefix = text.lastIndex(of: ".").map { String(text[...$0]) } ?? ""
            return "\(prefix)\"\(text.dropFirst(prefix.count))\""
        }

        /// How an index names it.
        var indexed: String { base == nil ? "\"\(text)\"" : "(\(text)\n)" }
    }

    struct Criterion {
        let path: Path
        let descriptor: Sort

        var collation: TextOrder { descriptor.collation.flatMap(TextOrder.init) ?? path.collation }
    }

    let entity: EntityModel
    private(set) var predicate: (text: String, sql: String, parameters: [Value])?
    private(set) var isPredicateNamed = false
    private(set) var section: Criterion?
    var sorts: [Criterion] = []
    /// The content; nil for all columns that the entity has when it is fetched.
    var content: [Path]?
    private(set) var limit: Int?
    private(set) var offset = 0
    private(set) var batchSize = 20
    /// Whether it is passed to the library as a whole SELECT.
    private(set) var isSelect = false
    /// Totals, each with the place of its argument among the columns of the content; nil to count
    /// all rows.
    var totals: [(total: Total, argument: Path?)] = []
    /// Whether these summarize all rows, if it is a window.
    private(set) var totalsOfAllRows = false
    var rankTolerance = 0.01
    /// The statistics of its list's ranks; nil for the present ones.
    var statistics: Value?
    /// The same without limit and offset.
    var unlimited: RequestModel {
        var request = self
        (request.limit, request.offset) = (nil, 0)
        return request
    }

    init(_ schema: Schema, entity: EntityModel, _ random: inout SeededRandom) {
        self.entity = entity
        choosePredicate(schema, &random)
        chooseOrder(&random)
        chooseContent(&random)
        if random.chance(12) {
            limit = random.chance(80) ? 1 + random.below(12) : nil
            offset = random.chance(50) ? random.below(5) : 0
        }
        batchSize = random.pick([1, 3, 20])
        isSelect = random.chance(12) && !entity.isView
        becomeSelect()
        chooseTotals(random)
        chooseMatchTerms(&random)
    }

    /// Chooses totals of columns that rows show. Takes no random numbers from the others.
    private mutating func chooseTotals(_ random: SeededRandom) {
        var random = random
        random = SeededRandom(seed: random.next() ^ 0x746f74616c73)
        guard !isSelect, random.chance(35) else { return }
        let paths = (content ?? Self.paths(entity).filter { !$0.isKeyPath }).filter { !$0.text.contains("added") }
        for number in 0...random.below(4) {
            let path = random.pick(paths)
            let function = random.pick([Total.Function.count, .average, .average, .min, .max])
            let counts = function == .count
            totals.append(
                (
                    Total("total \(number)", function, of: counts ? "\(path.reference) IS NULL" : path.text), path
                ))
        }
        totals.append((Total("rows", .count), nil))
        totalsOfAllRows = random.chance(50)
    }

    /// Another request for the same entity, in which some parts stay.
    func varied(_ schema: Schema, _ random: inout SeededRandom) -> RequestModel {
        var other = self
        if random.chance(50) { other.choosePredicate(schema, &random) }
        if random.chance(60) { other.chooseOrder(&random) }
        if random.chance(10) { other.chooseContent(&random) }
        if !other.searchesItself || random.chance(40) { other.chooseMatchTerms(&random) }
        let shown = (other.content ?? Self.paths(entity).filter { !$0.isKeyPath }).map(\.text)
        other.totals.removeAll { $0.argument.map { !shown.contains($0.text) } ?? false }
        if random.chance(20) { other.limit = random.chance(50) ? 1 + random.below(12) : nil }
        if other.limit != limit, other.batchSize == 3 { other.totalsOfAllRows.toggle() }
        other.becomeSelect()
        return other
    }

    /// Whether all that differs in the columns is their order, which is no change of rows.
    func hasColumnsInOtherOrder(than other: RequestModel) -> Bool {
        func names(_ request: RequestModel) -> [String] {
            (request.content ?? Self.paths(request.entity).filter { !$0.isKeyPath }).map(\.text).sorted()
        }
        return names(self) == names(other)
    }

    /// Another predicate: that a column has a value, and perhaps other conditions.
    mutating func askForValue(_ random: inout SeededRandom) {
        let path = random.pick(Self.paths(entity).filter { !$0.isKeyPath })
        let column = "\"\(path.text)\""
        isPredicateNamed = false
        let (text, sql) = random.pick([
            ("\(column) = ?", "\(path.sql) = ?"),
            ("? == \(column)", "? = \(path.sql)"),
            ("1 AND \(column) = ?1 AND (0 OR \(column) IS NOT NULL)", "\(path.sql) = ?1"),
            ("\(column) = ? COLLATE NOCASE", "\(path.sql) = ? COLLATE NOCASE"),
            ("\(column) IS NULL OR \(column) = ?", "\(path.sql) IS NULL OR \(path.sql) = ?"),
            ("\(column) IN (?1, ?2)", "\(path.sql) IN (?1, ?2)"),
            ("\(column) >= ?1 AND ?2 > \(column)", "\(path.sql) >= ?1 AND ?2 > \(path.sql)"),
            ("\(column) BETWEEN ?1 AND ?2", "\(path.sql) BETWEEN ?1 AND ?2"),
            ("(\(column) = ?1 AND \(column) <= ?2)", "(\(path.sql) = ?1 AND \(path.sql) <= ?2)"),
            ("\(column) <= ?1 AND NOT \(column) IN (?2)", "\(path.sql) <= ?1 AND NOT \(path.sql) IN (?2)"),
        ])
        predicate = (text, sql, [Values.any(&random)])
        if text.contains("?2") { predicate?.parameters.append(Values.any(&random)) }
        if random.chance(30), !text.contains("?1") {
            isPredicateNamed = true
            predicate?.text = text.replacing("?", with: ":value")
        }
        becomeSelect()
    }

    /// Shows a part of its rows, most of the time in an order that an index can serve.
    mutating func becomeWindow(_ random: inout SeededRandom) {
        limit = random.chance(85) ? random.pick([1 + random.below(3), 3 + random.below(6), 6 + random.below(15)]) : nil
        offset = random.chance(70) ? random.below(random.pick([3, 10, 25])) : 0
        for _ in 0..<8 where orderIndex(encoding: nil) == nil && !isSelect { chooseOrder(&random) }
        becomeSelect()
    }

    /// Whether its predicate searches in the full-text index.
    var searches: Bool { predicate?.sql.contains("found") ?? false }

    /// Whether it has a limit or an offset.
    var isWindow: Bool { limit != nil || offset > 0 }

    /// An index that can serve the order, or its first columns; nil if there is none.
    ///
    /// In UTF-16, SQLite 3.40 itself reports that an index of `lower(a)` lacks a row when `a` is a
    /// BLOB.
    ///
    /// - Parameter encoding: Of the database; nil for UTF-8.
    func orderIndex(encoding: String?) -> String? {
        let criteria = ([section].compactMap(\.self) + sorts).prefix {
            !$0.path.isKeyPath && $0.collation.isBuiltIn && (encoding == nil || $0.path.base == nil)
        }
        guard !criteria.isEmpty, !entity.isView else { return nil }
        let columns = criteria.map { criterion in
            "\(criterion.path.indexed) COLLATE \(criterion.collation.rawValue)"
                + (criterion.descriptor.isDescending ? " DESC" : "")
        }
        return "\(entity.name)(\(columns.joined(separator: ", ")))"
    }

    static func paths(_ entity: EntityModel) -> [Path] {
        var result: [Path] = []
        var current = entity
        var prefix = ""
        for alias in ["t", "p", "g"] {
            for column in current.columns {
                result.append(
                    Path(
                        text: prefix + column.name, sql: "\(alias).\"\(column.name)\"", collation: column.collation,
                        isKeyPath: alias != "t", isVirtual: column.generation == .virtual))
            }
            guard let reference = current.reference else { break }
            prefix += reference.column + "."
            current = reference.parent
        }
        return result
    }

    /// An expression over a column or key path.
    static func expression(_ path: Path, _ random: inout SeededRandom) -> Path {
        let dot = path.text.lastIndex(of: ".")
        let prefix = dot.map { String(path.text[...$0]) } ?? ""
        let column = "\(prefix)\"\(path.text.dropFirst(prefix.count))\""
        let form = random.pick([
            "lower(?)", "length(?)", "typeof(?)", "? IS NULL", "coalesce(?, 7)", "substr(?, 1, 1) || typeof(?)",
            "NOT ?", "(?) -- as it is",
        ])
        let end = form.contains("--") ? "\n" : ""
        return Path(
            text: form.replacing("?", with: column), sql: "(\(form.replacing("?", with: path.sql))\(end))",
            collation: .binary, isKeyPath: path.isKeyPath, isVirtual: false, base: path.text)
    }

    private func criterion(_ random: inout SeededRandom) -> Criterion {
        var path = random.pick(Self.paths(entity))
        if random.chance(15) { path = Self.expression(path, &random) }
        let collation = random.chance(30) ? random.pick(TextOrder.allCases) : nil
        return Criterion(
            path: path,
            descriptor: Sort(
                path.text, isDescending: random.chance(40),
                nulls: random.chance(30) ? random.pick([.first, .last]) : nil,
                collation: collation?.rawValue))
    }

    private mutating func chooseOrder(_ random: inout SeededRandom) {
        section = random.chance(60) ? criterion(&random) : nil
        sorts = (0..<random.pick([0, 1, 1, 1, 2, 3])).map { _ in criterion(&random) }
    }

    private mutating func chooseContent(_ random: inout SeededRandom) {
        let paths = Self.paths(entity)
        switch random.below(10) {
        case 0...4: content = nil
        case 5...7: content = Array(random.some(paths.filter { !$0.isKeyPath }).prefix(3))
        default: content = Array(random.some(paths).prefix(4))
        }
    }

    private mutating func choosePredicate(_ schema: Schema, _ random: inout SeededRandom) {
        predicate = nil
        isPredicateNamed = false
        guard random.chance(60) else { return }
        let item = entity.key.first.map { "\"\($0.name)\"" } ?? "rowid"
        var choices: [(String, String, [Value])] = []
        if entity.columns.contains(where: { $0.name == "a" }) {
            choices += [
                ("a > ?", "t.a > ?", [Values.any(&random)]),
                (
                    "\"b c\" IS NOT ? OR a = ?", "t.\"b c\" IS NOT ? OR t.a = ?",
                    [Values.any(&random), Values.any(&random)]
                ),
                ("a IS NOT 1 -- not one", "t.a IS NOT 1", []),
                ("a IN (SELECT word FROM tags)", "t.a IN (SELECT word FROM tags)", []),
                (
                    "NOT EXISTS (SELECT 1 FROM tags AS z WHERE z.item = \(entity.name).\(item) AND z.word = ?)",
                    "NOT EXISTS (SELECT 1 FROM tags AS z WHERE z.item = t.\(item) AND z.word = ?)",
                    [Values.any(&random)]
                ),
            ]
        }
        if let reference = entity.reference {
            let number = "\(reference.column).\(entity.name == "lists" ? "rank" : "position")"
            let column = "p.\(entity.name == "lists" ? "rank" : "position")"
            choices += [
                ("\(number) COLLATE BINARY >= ?", "\(column) COLLATE BINARY >= ?", [Values.any(&random)]),
                ("\(reference.column).name IS NOT NULL", "p.name IS NOT NULL", []),
                ("\(reference.column) IS NOT NULL", "t.\(reference.column) IS NOT NULL", []),
            ]
        }
        if entity.name == "items" {
            choices += [
                (
                    "list_id . folder_id.\"rank\" IS NOT ? COLLATE BINARY", "g.rank IS NOT ? COLLATE BINARY",
                    [Values.any(&random)]
                ),
                (
                    "list_id IN (SELECT id FROM lists WHERE typeof(position) <> 'text')",
                    "t.list_id IN (SELECT id FROM lists WHERE typeof(position) <> 'text')", []
                ),
            ]
        }
        choices += schema.search?.predicates(of: entity, &random) ?? []
        guard !choices.isEmpty else { return }
        var (text, sql, parameters) = random.pick(choices)
        if parameters.count == 1, random.chance(30) {
            isPredicateNamed = true
            text = text.replacing("?", with: ":value")
        } else if random.chance(20) {
            (text, sql, parameters) = ("(\(text)\n) AND 1", "(\(sql)) AND 1", parameters)
        }
        predicate = (text, sql, parameters)
    }

    /// Names all columns of a SELECT. Its sections are in the order of their own column, as equal
    /// values have to be adjacent.
    private mutating func becomeSelect() {
        guard isSelect else { return }
        content = content ?? Self.paths(entity).filter { !$0.isKeyPath }
        if let criterion = section {
            var descriptor = criterion.descriptor
            descriptor.collation = nil
            section = Criterion(path: criterion.path, descriptor: descriptor)
        }
    }

    /// Whether all columns that it names exist.
    var isPossible: Bool {
        let known = Self.paths(entity).map(\.text)
        let named = ([section].compactMap(\.self) + sorts).map(\.path) + (content ?? [])
        return named.allSatisfy { $0.isAboutMatches || known.contains($0.base ?? $0.text) }
    }

    /// The same as the request for a section map's sections.
    func asSections() -> RequestModel {
        var request = self
        request.section = nil
        request.isSelect = false
        return request
    }

    /// The same as the request for a section map's items.
    func asItems() -> RequestModel {
        var request = self
        request.section = nil
        request.isSelect = false
        request.limit = nil
        request.offset = 0
        return request
    }

    /// Whether rows are inserted and removed only because they were touched themselves.
    var dependsOnOwnRowsOnly: Bool {
        let predicate = predicate?.sql ?? ""
        return !isUnobserved && limit == nil && offset == 0 && !predicate.contains("SELECT")
            && !predicate.contains("p.")
            && !predicate.contains("g.")
    }

    /// Whether SQLite alone can determine the order, without the program's collations.
    var hasBuiltInOrder: Bool {
        (([section].compactMap(\.self) + sorts).map(\.collation) + entity.key.map(\.collation)).allSatisfy(\.isBuiltIn)
    }

    /// The library's request.
    var request: FetchRequest { request(nil) }

    /// The request of a list that is cached under a name.
    func request(_ cacheName: String?) -> FetchRequest {
        if let select {
            var request = FetchRequest(
                select: select.sql, parameters: predicate?.parameters ?? [], identity: select.identity,
                sectionColumn: select.section)
            request.cacheName = cacheName
            request.batchSize = batchSize
            return request
        }
        var request = FetchRequest(entity: entity.name)
        request.cacheName = cacheName
        if entity.isView { request.identity = entity.key.map(\.name) }
        request.predicate = predicate?.text
        if let parameters = predicate?.parameters {
            request.parameters = isPredicateNamed ? .named([("value", parameters[0])]) : .positional(parameters)
        }
        request.section = section?.descriptor
        request.sorts = sorts.map(\.descriptor)
        request.columns = content?.map(\.text) ?? []
        request.limit = limit
        request.offset = offset
        request.batchSize = batchSize
        request.totals = totals.map(\.total)
        request.totalsOfAllRows = totalsOfAllRows
        request.rankTolerance = rankTolerance
        return request
    }
}

extension RequestModel: CustomStringConvertible {
    var description: String {
        func words(_ criterion: Criterion) -> String {
            let descriptor = criterion.descriptor
            return descriptor.keyPath + (descriptor.isDescending ? " DESC" : "")
                + (descriptor.nulls.map { " NULLS \($0)" } ?? "")
                + (descriptor.collation.map { " COLLATE \($0)" } ?? "")
        }
        var parts = [isSelect ? "SELECT of \(entity.name)" : entity.name]
        if let predicate { parts.append("where \(predicate.text) \(predicate.parameters.map { "\(Cell($0))" })") }
        if let section { parts.append("section \(words(section))") }
        parts.append("sort [\(sorts.map(words).joined(separator: ", "))]")
        if let content { parts.append("content \(content.map(\.text))") }
        if limit != nil || offset > 0 { parts.append("limit \(limit.map { "\($0)" } ?? "-") offset \(offset)") }
        if !totals.isEmpty {
            parts.append(
                "totals\(totalsOfAllRows ? " of all rows" : "") \(totals.map { "\($0.total.function) \($0.total.expression ?? "")" })"
            )
        }
        if ranks { parts.append("tolerance \(rankTolerance)") }
        return parts.joined(separator: ", ") + ", batch \(batchSize)"
    }
}
