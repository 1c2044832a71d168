internal import FetchedResults

/// How the objects of a list are read as items, and how such an item is found in the list again.
struct ItemDecoding<Item> {
    let read: (FetchedObject) throws -> Item
    let path: (Item, any LiveList) throws -> ListIndexPath?
}

extension ItemDecoding where Item == FetchedObject {
    /// The objects themselves.
    static var objects: Self { Self(read: { $0 }, path: { object, list in try list.indexPath(of: object) }) }
}

extension ItemDecoding where Item: Decodable {
    /// Items that are decoded from the objects.
    static var decoded: Self {
        Self(
            read: { try $0.decode(Item.self) },
            path: { item, list in try list.indexPath(ofIdentity: try identity(of: item)) })
    }

    private static func identity(of item: Item) throws -> [Value] {
        let id: Any? = (item as? any Identifiable)?.id
        switch id {
        case let id as [Value]: return id
        case let id as Value: return [id]
        case let id as String: return [.text(id)]
        case let id as any BinaryInteger:
            if let id = Int64(exactly: id) { return [.integer(id)] }
        default: break
        }
        throw StoreError(
            .misuse, "a \(Item.self) can't be found in a list: make it Identifiable, with the row's key as its id")
    }
}
