public import ChangeSets
public import ListEngine
public import SQLiteKit

extension FetchedObject {
    /// Decodes a type from the row: each coding key is the name of a column or key path that the
    /// object shows, compared as SQLite compares names.
    ///
    /// - NULL is `nil` for an optional property; so is a column that the object does not show.
    /// - A `Bool` is the integer 0 or 1; integers have to fit into their type; a `Double` or
    ///   `Float` is also made of an integer.
    /// - `[UInt8]`, and types that are decoded byte by byte, as Foundation's `Data`, are made of a
    ///   blob; a `String` is made of a text.
    /// - Every other type is decoded from the one value of its column, as its `init(from:)` does:
    ///   an enumeration from its raw value, Foundation's `UUID` from a text.
    ///
    /// Nothing else is converted. A row of one column can also be decoded as the value of that
    /// column.
    ///
    /// - Throws: `DecodingError` for a column that is missing, NULL, of another type, or out of
    ///   range; `StoreError.Status.gone` if the values are not known.
    public func decode<Row: Decodable>(_ type: Row.Type) throws -> Row {
        guard let values else {
            throw StoreError(.gone, "the values of the row of \(entity) are not known")
        }
        return try RowValueDecoder(columns: columns, values: values).decode(type)
    }
}

extension LiveList {
    /// The object at an index path, decoded as `FetchedObject.decode` does. O(log n).
    public func decode<Row: Decodable>(_ type: Row.Type, at path: ListIndexPath) throws -> Row {
        try object(at: path).decode(type)
    }

    /// All objects, one section after another, decoded as `FetchedObject.decode` does. The array
    /// stays as it is when the list changes. O(n).
    ///
    /// - Throws: The error of the first object that can't be read or decoded.
    public func decoded<Row: Decodable>(_ type: Row.Type) throws -> [Row] {
        _ = try numberOfObjects
        return try objects.map { try $0.get().decode(type) }
    }

    /// The objects of a section, decoded as `FetchedObject.decode` does. O(n) for n objects of the
    /// section.
    public func decoded<Row: Decodable>(_ type: Row.Type, inSection section: Int) throws -> [Row] {
        _ = try numberOfObjects(inSection: section)
        return try SectionObjects(list: self, section: section).map { try $0.get().decode(type) }
    }
}

extension Store {
    /// Reads the rows of a request once, and decodes them as `FetchedObject.decode` does. The list
    /// is not observed and not retained.
    public func fetch<Row: Decodable>(_ type: Row.Type, _ request: FetchRequest) throws -> [Row] {
        let list = try FetchedResultsController(store: self, request: request)
        try list.performFetch()
        return try list.decoded(type)
    }

    /// Decodes the rows that a statement yields, as `FetchedObject.decode` does: each coding key is
    /// the name of a column of the result.
    public func query<Row: Decodable>(_ type: Row.Type, _ sql: String, _ parameters: [Value] = []) throws -> [Row] {
        var columns: [String] = []
        var rows: [Row] = []
        try query(sql, parameters) { statement, values in
            if rows.isEmpty { columns = statement.columnNames }
            rows.append(try RowValueDecoder(columns: columns, values: values).decode(type))
        }
        return rows
    }
}
