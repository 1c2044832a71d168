internal import CSQLite
internal import Glibc

/// The library's auxiliary functions of FTS5
/// (https://www.sqlite.org/fts5.html#custom_auxiliary_functions).
///
/// - `fr_bm25_statistics(t)`: what `bm25` reads of all documents, as it is now: the number of
///   documents and of their tokens, and the number of documents with each phrase of the query.
/// - `fr_bm25(t, statistics, …)`: `bm25(t, …)` with these statistics; with the present ones for
///   NULL.
/// - `fr_rank(t, statistics, rank)`: the same with the weights in a text such as `bm25(10.0, 5.0)`,
///   the form of FTS5's option `rank`; NULL is `bm25()`.
/// - `fr_offsets(t)`: where the matches of a row are, as `highlight` marks them.
final class FullTextFunctions: Registration {
    func register(with connection: Connection) throws(StoreError) {
        // Another store can have registered them with the program's connection.
        guard connection.isOwned || !connection.isFullTextExtended,
            let api = unsafe connection.fullTextInterface, let create = unsafe api.pointee.xCreateFunction
        else { return }
        func add(_ name: String, _ function: fts5_extension_function) throws(StoreError) {
            let code = unsafe create(api, name, nil, function, nil)
            guard code == SQLITE_OK else { throw connection.failure(code) }
        }
        unsafe try add("fr_bm25_statistics") { unsafe AuxiliaryCall($0, $1, $2, $3, $4)?.giveStatistics() }
        unsafe try add("fr_bm25") { unsafe AuxiliaryCall($0, $1, $2, $3, $4)?.giveBM25() }
        unsafe try add("fr_rank") { unsafe AuxiliaryCall($0, $1, $2, $3, $4)?.giveRank() }
        unsafe try add("fr_offsets") { unsafe AuxiliaryCall($0, $1, $2, $3, $4)?.giveOffsets() }
    }

    /// They need nothing of the library's state, and FTS5 can't remove them.
    func remove(from connection: Connection) {}
}

extension Connection {
    /// Registers the library's auxiliary functions of FTS5, if SQLite has that.
    package func addFullTextFunctions() throws(StoreError) { _ = try registration { FullTextFunctions() } }

    /// FTS5's interface (https://www.sqlite.org/fts5.html#extending_fts5); nil without FTS5.
    fileprivate var fullTextInterface: UnsafeMutablePointer<fts5_api>? {
        var statement: OpaquePointer?
        var api: UnsafeMutablePointer<fts5_api>?
        // Without FTS5, and if an authorizer of the program refuses it, there is no statement, with
        // which the other calls do nothing.
        unsafe sqlite3_prepare_v2(handle, "SELECT fts5(?1)", -1, &statement, nil)
        unsafe withUnsafeMutablePointer(to: &api) { place in
            _ = unsafe sqlite3_bind_pointer(statement, 1, place, "fts5_api_ptr", nil)
            _ = unsafe sqlite3_step(statement)
        }
        unsafe sqlite3_finalize(statement)
        return unsafe api
    }

    /// Whether another store has registered these functions. If that can't be read, they are
    /// registered again, which changes nothing.
    fileprivate var isFullTextExtended: Bool {
        let statement = try? prepare("SELECT 1 FROM pragma_function_list WHERE name = 'fr_offsets'")
        return (try? statement?.step()) ?? false
    }

    /// Whether a tokenizer of FTS5's own is the same on another connection: a program can have
    /// replaced it on one of them.
    func hasTokenizer(_ name: String, of other: Connection) -> Bool {
        guard let own = ownTokenizer(name), let others = other.ownTokenizer(name) else { return false }
        return own == others
    }

    /// The functions of a tokenizer that FTS5 has registered, whose data is its interface; nil for
    /// another one.
    private func ownTokenizer(_ name: String) -> [UInt]? {
        guard let api = unsafe fullTextInterface, let find = unsafe api.pointee.xFindTokenizer else { return nil }
        var (data, functions): (UnsafeMutableRawPointer?, fts5_tokenizer) = (nil, fts5_tokenizer())
        guard unsafe find(api, name, &data, &functions) == SQLITE_OK, unsafe data == UnsafeMutableRawPointer(api)
        else { return nil }
        return unsafe [
            unsafeBitCast(functions.xCreate, to: UInt.self), unsafeBitCast(functions.xDelete, to: UInt.self),
            unsafeBitCast(functions.xTokenize, to: UInt.self),
        ]
    }
}

/// One call of an auxiliary function by FTS5. Unsafe, because it is valid only during that call.
@unsafe private struct AuxiliaryCall {
    private let api: UnsafePointer<Fts5ExtensionApi>
    private let query: OpaquePointer?
    private let context: OpaquePointer?
    private let count: Int
    private let values: UnsafeMutablePointer<OpaquePointer?>?

    init?(
        _ api: UnsafePointer<Fts5ExtensionApi>?, _ query: OpaquePointer?, _ context: OpaquePointer?, _ count: Int32,
        _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        guard let api = unsafe api else { return nil }
        unsafe self.api = api
        unsafe self.query = query
        unsafe self.context = context
        unsafe self.count = values == nil ? 0 : Int(count)
        unsafe self.values = values
    }

    /// The result of the function, or the failure of one of FTS5's.
    private func give(_ body: () throws(CallFailure) -> Void) {
        do {
            try body()
        } catch {
            switch error {
            case .code(let code): unsafe sqlite3_result_error_code(context, code)
            case .message(let message): unsafe sqlite3_result_error(context, message, -1)
            }
        }
    }

    private enum CallFailure: Error {
        case code(Int32)
        case message(String)
    }

    private func check(_ code: Int32) throws(CallFailure) {
        if code != SQLITE_OK { throw .code(code) }
    }

    private func integer(_ read: (UnsafeMutablePointer<Int64>) -> Int32) throws(CallFailure) -> Int64 {
        var value: Int64 = 0
        unsafe try check(read(&value))
        return value
    }

    private var phraseCount: Int32 { unsafe api.pointee.xPhraseCount(query) }

    // MARK: Statistics

    /// The number of documents, the number of their tokens, and the number of documents with each
    /// phrase.
    private func currentStatistics() throws(CallFailure) -> [Int64] {
        var statistics = [
            unsafe try integer { unsafe api.pointee.xRowCount(query, $0) },
            unsafe try integer { unsafe api.pointee.xColumnTotalSize(query, -1, $0) },
        ]
        for phrase in unsafe 0..<phraseCount {
            let documents = unsafe try integer { count in
                unsafe api.pointee.xQueryPhrase(query, phrase, count) { _, _, count in
                    unsafe count?.assumingMemoryBound(to: Int64.self).pointee += 1
                    return SQLITE_OK
                }
            }
            statistics.append(documents)
        }
        return statistics
    }

    func giveStatistics() {
        unsafe give { () throws(CallFailure) in
            let statistics = unsafe try currentStatistics()
            unsafe statistics.withUnsafeBytes {
                unsafe sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), fr_sqlite_transient())
            }
        }
    }

    // MARK: Ranks

    func giveBM25() {
        unsafe give { () throws(CallFailure) in
            let ranking = unsafe try ranking()
            unsafe try rank(ranking) { column in
                guard unsafe column + 1 < count else { return 1 }
                return unsafe sqlite3_value_double(values?[column + 1])
            }
        }
    }

    func giveRank() {
        unsafe give { () throws(CallFailure) in
            let ranking = unsafe try ranking()
            if ranking.weights == nil { ranking.weights = unsafe try weights() }
            let weights = ranking.weights ?? []
            unsafe try rank(ranking) { weights.indices.contains($0) ? weights[$0] : 1 }
        }
    }

    /// The weights of the option `rank`.
    private func weights() throws(CallFailure) -> [Double] {
        guard unsafe count > 1 && sqlite3_value_type(values?[1]) != SQLITE_NULL else { return [] }
        let text = unsafe sqlite3_value_text(values?[1]).map { unsafe String(cString: $0) } ?? ""
        guard let weights = weightsOfBM25(text) else {
            throw .message(
                "the rank of the table is \(text), but a list can be in the order of bm25() with numbers only")
        }
        return weights
    }

    /// The product of FTS5's bm25() with the statistics in the first argument, computed by the same
    /// operations in the same order (https://www.sqlite.org/fts5.html#the_bm25_function).
    private func rank(_ ranking: Ranking, weight: (Int) -> Double) throws(CallFailure) {
        let (k1, b) = (1.2, 0.75)
        for phrase in ranking.frequencies.indices { ranking.frequencies[phrase] = 0 }
        var (instances, size): (Int32, Int32) = (0, 0)
        unsafe try check(api.pointee.xInstCount(query, &instances))
        for instance in 0..<instances {
            var (phrase, column, offset): (Int32, Int32, Int32) = (0, 0, 0)
            unsafe try check(api.pointee.xInst(query, instance, &phrase, &column, &offset))
            guard ranking.frequencies.indices.contains(Int(phrase)) else { continue }
            let weight = weight(Int(column))
            ranking.frequencies[Int(phrase)] += weight
        }
        unsafe try check(api.pointee.xColumnSize(query, -1, &size))
        var score = 0.0
        let length = b * Double(size) / ranking.averageSize
        for (phrase, frequency) in ranking.frequencies.enumerated() {
            let share = (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + length))
            score += ranking.inverseFrequencies[phrase] * share
        }
        unsafe sqlite3_result_double(context, -1 * score)
    }

    /// None of NULL.
    private func bytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
        // In this order (https://www.sqlite.org/c3ref/value_blob.html).
        let start = unsafe sqlite3_value_blob(value)
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    /// The weights of the query's phrases, which FTS5 stores until the query ends.
    private func ranking() throws(CallFailure) -> Ranking {
        let given = unsafe count > 0 ? bytes(values?[0]) : UnsafeRawBufferPointer(start: nil, count: 0)
        if let known = unsafe api.pointee.xGetAuxdata(query, 0) {
            let ranking = unsafe Unmanaged<Ranking>.fromOpaque(known).takeUnretainedValue()
            if unsafe ranking.isOf(given) { return ranking }
        }
        let phraseCount = unsafe Int(phraseCount)
        let (givenCount, isCurrent) = unsafe (given.count, given.isEmpty)
        guard isCurrent || givenCount == (phraseCount + 2) * MemoryLayout<Int64>.stride else {
            throw .message("the statistics are not of a query with \(counted(phraseCount, "phrase"))")
        }
        let statistics =
            unsafe try isCurrent
            ? currentStatistics()
            : (0..<phraseCount + 2).map { number in
                unsafe given.loadUnaligned(fromByteOffset: number * MemoryLayout<Int64>.stride, as: Int64.self)
            }
        let ranking = Ranking(statistics, given: isCurrent ? [] : statistics)
        let memory = unsafe Unmanaged.passRetained(ranking).toOpaque()
        // On failure FTS5 releases it.
        unsafe try check(
            api.pointee.xSetAuxdata(query, memory) {
                if let ranking = unsafe $0 { unsafe Unmanaged<Ranking>.fromOpaque(ranking).release() }
            })
        return ranking
    }

    // MARK: Offsets

    /// The column, the first byte and the number of bytes of each match, as numbers with spaces
    /// between them. Bytes are UTF-8. Matches that overlap are one.
    func giveOffsets() {
        unsafe give { () throws(CallFailure) in
            var matches: [[ClosedRange<Int32>]] = []
            var instances: Int32 = 0
            unsafe try check(api.pointee.xInstCount(query, &instances))
            for instance in 0..<instances {
                var (phrase, column, offset): (Int32, Int32, Int32) = (0, 0, 0)
                unsafe try check(api.pointee.xInst(query, instance, &phrase, &column, &offset))
                let end = unsafe offset + api.pointee.xPhraseSize(query, phrase) - 1
                guard column >= 0, offset >= 0, end >= offset else { continue }
                while matches.count <= column { matches.append([]) }
                if let last = matches[Int(column)].last, offset <= last.upperBound {
                    matches[Int(column)].removeLast()
                    matches[Int(column)].append(last.lowerBound...max(last.upperBound, end))
                } else {
                    matches[Int(column)].append(offset...end)
                }
            }
            var result = ""
            for (column, tokens) in matches.enumerated() where !tokens.isEmpty {
                for bytes in unsafe try bytes(of: tokens, column) {
                    result += "\(result.isEmpty ? "" : " ")\(column) \(bytes.lowerBound) \(bytes.count)"
                }
            }
            unsafe sqlite3_result_text(context, result, -1, fr_sqlite_transient())
        }
    }

    /// Where some ranges of tokens are in the text of a column.
    private func bytes(of tokens: [ClosedRange<Int32>], _ column: Int) throws(CallFailure) -> [Range<Int>] {
        var text: UnsafePointer<CChar>?
        var count: Int32 = 0
        unsafe try check(api.pointee.xColumnText(query, Int32(column), &text, &count))
        var found = FoundTokens(wanted: tokens)
        let code = unsafe withUnsafeMutablePointer(to: &found) { found in
            unsafe api.pointee.xTokenize(query, text, count, found) { context, flags, _, _, start, end in
                // FTS5_TOKEN_COLOCATED: a synonym at the place of the token before it.
                guard flags & 1 == 0, let context = unsafe context else { return SQLITE_OK }
                unsafe context.assumingMemoryBound(to: FoundTokens.self).pointee.add(Int(start), Int(end))
                return SQLITE_OK
            }
        }
        unsafe try check(code)
        return found.bytes
    }
}

/// The weights in a text such as `bm25(10.0, 5.0)`; nil for another function.
private func weightsOfBM25(_ text: String) -> [Double]? {
    let parts = text.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
    func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }
    guard parts.count == 2, isSameName(String(trimmed(parts[0])), "bm25"), trimmed(parts[1]).last == ")" else {
        return nil
    }
    let arguments = trimmed(parts[1]).dropLast()
    if trimmed(arguments).isEmpty { return [] }
    var weights: [Double] = []
    for argument in arguments.split(separator: ",", omittingEmptySubsequences: false) {
        guard let weight = Double(trimmed(argument)) else { return nil }
        weights.append(weight)
    }
    return weights
}

/// The weights of the phrases of one query, and room for the frequencies of a row.
private final class Ranking {
    /// The given statistics; none for the present ones.
    private let given: [Int64]
    let averageSize: Double
    let inverseFrequencies: [Double]
    /// How often the row has each phrase, by the weights of columns.
    var frequencies: [Double]
    /// The weights of columns in the option `rank`, once they were read.
    var weights: [Double]?

    init(_ statistics: [Int64], given: [Int64]) {
        self.given = given
        let documents = statistics[0]
        averageSize = Double(statistics[1]) / Double(documents)
        inverseFrequencies = statistics.dropFirst(2).map { count in
            let frequency = log((0.5 + Double(documents) - Double(count)) / (0.5 + Double(count)))
            return frequency <= 0 ? 1e-6 : frequency
        }
        frequencies = Array(repeating: 0, count: inverseFrequencies.count)
    }

    func isOf(_ statistics: UnsafeRawBufferPointer) -> Bool {
        unsafe given.withUnsafeBytes { unsafe $0.hasSameBytes(as: statistics) }
    }
}

/// The places of ranges of tokens in a text.
private struct FoundTokens {
    let wanted: [ClosedRange<Int32>]
    private(set) var bytes: [Range<Int>] = []
    private var token: Int32 = 0
    private var start = 0

    init(wanted: [ClosedRange<Int32>]) { self.wanted = wanted }

    mutating func add(_ first: Int, _ end: Int) {
        defer { token += 1 }
        guard bytes.count < wanted.count else { return }
        if token == wanted[bytes.count].lowerBound { start = first }
        if token == wanted[bytes.count].upperBound { bytes.append(start..<max(start, end)) }
    }
}
