internal import FetchedResults

/// How the objects of a list are read as rows of a type, and how such a row is found in the list
/// again.
struct RowReading<Row> {
    let read: (FetchedObject) throws -> Row
    let path: (Row, any LiveList) throws -> ListIndexPath?
}

extension RowReading where Row == FetchedObject {
    /// The objects themselves.
    static var objects: Self { Self(read: { $0 }, path: { object, list in try list.indexPath(of: object) }) }
}

extension RowReading where Row: Decodable {
    /// Rows that are decoded from the objects.
    static var decoded: Self {
        Self(
            read: { try $0.decode(Row.self) },
            path: { row, list in try list.indexPath(ofIdentity: try identity(of: row)) })
    }

    private static func identity(of row: Row) throws -> [Value] {
        let id: Any? = (row as? any Identifiable)?.id
        switch id {
        case let id as [Value]: return id
        case let id as Value: return [id]
        case let id as String: return [.text(id)]
        case let id as any BinaryInteger:
            if let id = Int64(exactly: id) { return [.integer(id)] }
        default: break
        }
        throw StoreError(
            .misuse, "a \(Row.self) can't be found in a list: make it Identifiable, with the row's key as its id")
    }
}
