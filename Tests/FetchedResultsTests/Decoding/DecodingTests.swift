import FetchedResults
import Foundation
import TestSupport
import Testing

/// Rows decoded into types of the program.
@Suite struct DecodingTests {
    private enum Kind: String, Decodable { case tree, insect }
    private enum Level: Int8, Decodable { case low = 1, high = 2 }

    private struct Item: Decodable, Equatable {
        let id: Int
        let name: String
        let kind: Kind?
        let isDone: Bool
        let weight: Double
        let icon: [UInt8]?

        enum CodingKeys: String, CodingKey {
            case id, name, kind, weight, icon
            case isDone = "done"
        }
    }

    private let store: Store

    init() throws {
        store = try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, done INT DEFAULT 0, weight, icon BLOB);
            INSERT INTO items VALUES (1, 'oak', 'tree', 1, 3.5, x'0102'), (2, 'ant', NULL, 0, 2, NULL);
            """)
    }

    private let oak = Item(id: 1, name: "oak", kind: .tree, isDone: true, weight: 3.5, icon: [1, 2])
    private let ant = Item(id: 2, name: "ant", kind: nil, isDone: false, weight: 2, icon: nil)

    private var request: FetchRequest { FetchRequest(entity: "items", sorts: [Sort("name")], section: Sort("done")) }

    private func list() throws -> FetchedResultsController {
        let list = try FetchedResultsController(store: store, request: request)
        try list.performFetch()
        return list
    }

    /// One value in the column "v".
    private func decode<Row: Decodable>(_ type: Row.Type, _ value: Value) throws -> Row {
        try #require(try store.query(type, "SELECT ?1 AS v", [value]).first)
    }

    private struct Holder<T: Decodable>: Decodable { let v: T }

    @Test func rowsOfAListAreDecoded() throws {
        let list = try list()
        #expect(try list.decode(Item.self, at: ListIndexPath(section: 1, row: 0)) == oak)
        #expect(try list.decoded(Item.self) == [ant, oak])
        #expect(try list.decoded(Item.self, inSection: 0) == [ant])
        #expect(try list.object(at: ListIndexPath(section: 0, row: 0)).decode(Item.self) == ant)
        expectFailure(.range, naming: "out of range") {
            _ = try list.decode(Item.self, at: ListIndexPath(section: 2, row: 0))
        }
        expectFailure(.range, naming: "out of range") { _ = try list.decoded(Item.self, inSection: 2) }
        try store.close()
        expectFailure(.closed) { _ = try list.decoded(Item.self) }
    }

    @Test func requestsAndStatementsAreDecoded() throws {
        #expect(try store.fetch(Item.self, request) == [ant, oak])
        #expect(try store.query(Item.self, "SELECT * FROM items WHERE id = ?", [1]) == [oak])
        #expect(try store.query(Int.self, "SELECT count(*) FROM items") == [2])
        #expect(try store.query(Item.self, "SELECT * FROM items WHERE 0") == [])
        #expect(throws: StoreError.self) { try store.query(Item.self, "SELECT * FROM nowhere") }
        #expect(throws: DecodingError.self) { try store.query(Item.self, "SELECT id FROM items") }
        // The failure has ended the statement.
        try store.execute("DROP TABLE items")
    }

    @Test func keysAreComparedAsSQLiteComparesNames() throws {
        struct Row: Decodable { let NAME: String }
        #expect(try store.fetch(Row.self, request).map(\.NAME) == ["ant", "oak"])
        struct Related: Decodable {
            let title: String
            enum CodingKeys: String, CodingKey { case title = "parent.name" }
        }
        try store.executeScript(
            """
            CREATE TABLE notes (id INTEGER PRIMARY KEY, parent INT REFERENCES items);
            INSERT INTO notes VALUES (1, 2);
            """)
        var notes = FetchRequest(entity: "notes")
        notes.columns = ["parent.name"]
        #expect(try store.fetch(Related.self, notes).map(\.title) == ["ant"])
    }

    @Test func everyIntegerTypeIsCheckedForItsRange() throws {
        func check<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws {
            #expect(try decode(Holder<T>.self, .integer(Int64(clamping: T.max))).v == T(clamping: Int64.max))
            #expect(try decode(Holder<T>.self, .integer(Int64(T.min))).v == T.min)
            guard T.min == 0 || T.bitWidth < 64 else { return }
            #expect(throws: DecodingError.self) { try decode(Holder<T>.self, .integer(Int64(T.min) - 1)) }
        }
        try check(Int.self)
        try check(Int8.self)
        try check(Int16.self)
        try check(Int32.self)
        try check(Int64.self)
        try check(UInt.self)
        try check(UInt8.self)
        try check(UInt16.self)
        try check(UInt32.self)
        try check(UInt64.self)
        #expect(try decode(Holder<Level>.self, 2).v == .high)
        #expect(throws: DecodingError.self) { try decode(Holder<Level>.self, 3) }
        #expect(throws: DecodingError.self) { try decode(Holder<Level>.self, 300) }
    }

    @Test func eachNumberIsReadFromItsOwnColumn() throws {
        struct Numbers: Decodable, Equatable {
            let int: Int
            let int8: Int8
            let int16: Int16
            let int32: Int32
            let int64: Int64
            let uint: UInt
            let uint8: UInt8
            let uint16: UInt16
            let uint32: UInt32
            let uint64: UInt64
            let float: Float
        }
        let sql = """
            SELECT 1 AS int, 2 AS int8, 3 AS int16, 4 AS int32, 5 AS int64, 6 AS uint, 7 AS uint8, 8 AS uint16,
                9 AS uint32, 10 AS uint64, 1.5 AS float
            """
        let expected = Numbers(
            int: 1, int8: 2, int16: 3, int32: 4, int64: 5, uint: 6, uint8: 7, uint16: 8, uint32: 9, uint64: 10,
            float: 1.5)
        #expect(try store.query(Numbers.self, sql) == [expected])
        #expect(throws: DecodingError.self) {
            try store.query(Numbers.self, sql.replacingOccurrences(of: "7 AS uint8", with: "256 AS uint8"))
        }
    }

    /// A type that is decoded byte by byte, with the type of each byte.
    private struct Bytes: Decodable {
        let values: [Double]
        let text: String?
        let endings: [String]

        init(from decoder: any Decoder) throws {
            var bytes = try decoder.unkeyedContainer()
            values = try [
                bytes.decode(Bool.self) ? 1 : 0, bytes.decode(Double.self), Double(bytes.decode(Float.self)),
                Double(bytes.decode(Int.self)), Double(bytes.decode(Int8.self)), Double(bytes.decode(Int16.self)),
                Double(bytes.decode(Int32.self)), Double(bytes.decode(Int64.self)), Double(bytes.decode(UInt.self)),
                Double(bytes.decode(UInt8.self)), Double(bytes.decode(UInt16.self)), Double(bytes.decode(UInt32.self)),
                Double(bytes.decode(UInt64.self)), bytes.superDecoder().singleValueContainer().decode(Double.self),
                // No byte is NULL.
                bytes.decodeIfPresent(Double.self) ?? -1,
            ]
            text = try? bytes.decode(String.self)
            let count = bytes.count
            endings = [
                Self.message { _ = try bytes.nestedUnkeyedContainer() },
                Self.message { _ = try bytes.nestedContainer(keyedBy: Item.CodingKeys.self) },
                Self.message { _ = try bytes.decode(Int.self) },
                Self.message { _ = try bytes.decode(Int.self) },
                "\(bytes.currentIndex) of \(count ?? -1)",
            ]
        }

        private static func message(_ body: () throws -> Void) -> String {
            do {
                try body()
                return "none"
            } catch DecodingError.valueNotFound(_, let context), DecodingError.typeMismatch(_, let context) {
                return context.debugDescription
            } catch { return "\(error)" }
        }
    }

    @Test func bytesOfABlobAreOfAnyNumberTypeUpToItsEnd() throws {
        let bytes = try decode(Holder<Bytes>.self, .blob([1] + Array(2...18))).v
        #expect(bytes.values == (1...15).map(Double.init))
        #expect(bytes.text == nil)
        #expect(
            bytes.endings == [
                "the column has the integer 17", "a column has no nested columns", "the blob has only 18 bytes",
                "the blob has only 18 bytes", "18 of 18",
            ])
        #expect(throws: DecodingError.self) { try decode(Holder<Bytes>.self, .blob([1, 2, 3])) }
        #expect(throws: DecodingError.self) { try decode(Holder<[Int8]>.self, .blob([127, 128])) }
        #expect(try decode(Holder<[Int16?]>.self, .blob([127, 128])).v == [127, 128])
    }

    @Test func aColumnHasNoColumnsButMayHaveBytes() throws {
        struct Nested: Decodable {
            enum Key: String, CodingKey { case id, icon, nowhere }
            let keys: [String]
            let bytes: [UInt8]
            let id: Int

            init(from decoder: any Decoder) throws {
                let row = try decoder.container(keyedBy: Key.self)
                keys = row.allKeys.map(\.stringValue)
                #expect(throws: DecodingError.self) { try row.nestedContainer(keyedBy: Key.self, forKey: .icon) }
                #expect(throws: DecodingError.self) { try row.nestedUnkeyedContainer(forKey: .id) }
                #expect(throws: DecodingError.self) { try row.nestedUnkeyedContainer(forKey: .nowhere) }
                var icon = try row.nestedUnkeyedContainer(forKey: .icon)
                bytes = try [icon.decode(UInt8.self), icon.decode(UInt8.self)]
                #expect(icon.isAtEnd)
                id = try row.superDecoder(forKey: .icon).container(keyedBy: Key.self).decode(Int.self, forKey: .id)
            }
        }
        let nested = try #require(try store.query(Nested.self, "SELECT * FROM items WHERE id = 1").first)
        #expect(nested.keys == ["id", "icon"])
        #expect(nested.bytes == [1, 2])
        #expect(nested.id == 1)
    }

    @Test func numbersAndTruthValues() throws {
        #expect(try decode(Holder<Double>.self, 7).v == 7)
        #expect(try decode(Holder<Float>.self, 0.1).v == 0.1)
        #expect(try decode(Holder<Float>.self, .real(.infinity)).v == .infinity)
        #expect(throws: DecodingError.self) { try decode(Holder<Float>.self, 1e300) }
        #expect(throws: DecodingError.self) { try decode(Holder<Double>.self, .integer(.max)) }
        #expect(throws: DecodingError.self) { try decode(Holder<Int>.self, 1.0) }
        #expect(throws: DecodingError.self) { try decode(Holder<Bool>.self, 2) }
        #expect(throws: DecodingError.self) { try decode(Holder<Bool>.self, "1") }
        #expect(throws: DecodingError.self) { try decode(Holder<String>.self, 1) }
    }

    @Test func optionalsMayBeNested() throws {
        #expect(try decode(Holder<Int?>.self, nil).v == nil)
        #expect(try decode(Holder<Int??>.self, 3).v == .some(.some(3)))
        #expect(try decode(Holder<Int??>.self, nil).v == .none)
        struct Sparse: Decodable {
            let v: String?
            let missing: Kind?
        }
        let row = try decode(Sparse.self, "x")
        #expect(row.v == "x")
        #expect(row.missing == nil)
        #expect(try decode(Int?.self, nil) == nil)
    }

    @Test func typesOfFoundation() throws {
        let bytes: [UInt8] = [0, 255, 7]
        #expect(try decode(Holder<Data>.self, .blob(bytes)).v == Data(bytes))
        #expect(try decode(Holder<Data>.self, .blob([])).v == Data())
        #expect(try decode(Data.self, .blob(bytes)) == Data(bytes))
        #expect(try decode([UInt8].self, .blob(bytes)) == bytes)
        let id = UUID()
        #expect(try decode(Holder<UUID>.self, .text(id.uuidString)).v == id)
        #expect(try decode(Holder<Date>.self, 12.5).v == Date(timeIntervalSinceReferenceDate: 12.5))
        #expect(throws: DecodingError.self) { try decode(Holder<Data>.self, "text") }
        #expect(throws: DecodingError.self) { try decode(Holder<UUID>.self, "no identifier") }
        #expect(throws: DecodingError.self) { try decode(Holder<[String]>.self, .blob(bytes)) }
        #expect(throws: DecodingError.self) { try decode(Holder<[String: Int]>.self, "x") }
    }

    @Test func errorsNameTheColumn() throws {
        func error(_ value: Value) -> DecodingError? {
            #expect(throws: DecodingError.self) { try decode(Holder<Int>.self, value) }
        }
        guard case .valueNotFound(let type, let context)? = error(nil) else {
            Issue.record("NULL is no Int")
            return
        }
        #expect("\(type)" == "Int")
        #expect(context.codingPath.map(\.stringValue) == ["v"])
        guard case .typeMismatch(_, let mismatch)? = error("seven") else {
            Issue.record("a text is no Int")
            return
        }
        #expect(mismatch.debugDescription == "the column has the text 'seven'")
        #expect(mismatch.codingPath.map(\.stringValue) == ["v"])
        struct Other: Decodable { let title: String }
        let missing = #expect(throws: DecodingError.self) { try decode(Other.self, "x") }
        guard case .keyNotFound(let key, let place)? = missing else {
            Issue.record("there is no such column")
            return
        }
        #expect(key.stringValue == "title")
        #expect(place.debugDescription == "there is no column named title: the row has v")
    }

    @Test func aRowOfSeveralColumnsIsNoSingleValue() throws {
        #expect(throws: DecodingError.self) { try store.query(Int.self, "SELECT 1, 2") }
        #expect(throws: DecodingError.self) { try store.query([Int].self, "SELECT 1, 2") }
    }

    @Test func aSuperclassIsDecodedFromTheSameRow() throws {
        class Named: Decodable { let name: String }
        final class Weighed: Named {
            let weight: Double
            private enum Keys: String, CodingKey { case weight }
            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                weight = try container.decode(Double.self, forKey: .weight)
                try super.init(from: container.superDecoder())
            }
        }
        let rows = try store.fetch(Weighed.self, request)
        #expect(rows.map(\.name) == ["ant", "oak"])
        #expect(rows.map(\.weight) == [2, 3.5])
    }

    @Test func valuesThatAreNotKnownAreGone() throws {
        let list = try list()
        var deleted: FetchedObject?
        let observation = list.observe { changes in
            deleted = changes.changeSet.objectChanges.first.flatMap { try? changes.object(of: $0) }
        }
        try store.execute("DELETE FROM items WHERE id = 1")
        let object = try #require(deleted)
        #expect(try object.decode(Item.self) == oak)
        #expect(observation.isActive)
    }
}
