public import CFetchedResults
internal import FetchedResults
internal import SQLiteKit

@_cdecl("fr_placeholder_new") @implementation
public func fr_placeholder_new(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ name: UnsafePointer<CChar>!, _ indexTitle: UnsafePointer<CChar>!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let placeholder = unsafe Placeholder(
            name: try optionalString(name, "name"), indexTitle: try optionalString(indexTitle, "index_title"))
        unsafe out.pointee = try newPlaceholderHandle(placeholder)
    }
}

@_cdecl("fr_placeholder_free") @implementation
public func fr_placeholder_free(_ handle: OpaquePointer!) { HandleTable.release(handle, .placeholder) }

@_cdecl("fr_placeholder_set_name") @implementation
public func fr_placeholder_set_name(_ handle: OpaquePointer!, _ name: UnsafePointer<CChar>!) -> fr_status {
    status { try usablePlaceholder(handle).name = unsafe try optionalString(name, "name") }
}

@_cdecl("fr_placeholder_set_index_title") @implementation
public func fr_placeholder_set_index_title(_ handle: OpaquePointer!, _ title: UnsafePointer<CChar>!) -> fr_status {
    status { try usablePlaceholder(handle).indexTitle = unsafe try optionalString(title, "index_title") }
}

@_cdecl("fr_placeholder_name") @implementation
public func fr_placeholder_name(_ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!)
    -> fr_status
{
    status {
        let out = unsafe try required(out, "out")
        let placeholder = try placeholder(handle)
        unsafe out.pointee = note(of: placeholder)?.lend(placeholder.name, of: "name")
    }
}

@_cdecl("fr_placeholder_index_title") @implementation
public func fr_placeholder_index_title(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let placeholder = try placeholder(handle)
        unsafe out.pointee = note(of: placeholder)?.lend(placeholder.indexTitle, of: "index_title")
    }
}

@_cdecl("fr_collection_new") @implementation
public func fr_collection_new(_ out: UnsafeMutablePointer<OpaquePointer?>!) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        unsafe out.pointee = try newListHandle(try FetchedResultsCollection())
    }
}

@_cdecl("fr_collection_new_with_requests") @implementation
public func fr_collection_new_with_requests(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ storeHandle: OpaquePointer!,
    _ requests: UnsafePointer<OpaquePointer?>!, _ count: Int
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let store = try store(storeHandle)
        let requests = unsafe try array(requests, count, "requests").map { try request($0).request }
        unsafe out.pointee = try newListHandle(try FetchedResultsCollection(store: store, requests: requests))
    }
}

@_cdecl("fr_collection_insert") @implementation
public func fr_collection_insert(
    _ handle: OpaquePointer!, _ index: Int64, _ child: OpaquePointer!, _ empty: OpaquePointer!
) -> fr_status {
    status {
        let collection = try collection(handle)
        try collection.insert(
            try listBox(child).list, at: place(index, collection), emptySection: try optionalPlaceholder(empty))
    }
}

@_cdecl("fr_collection_insert_placeholder") @implementation
public func fr_collection_insert_placeholder(
    _ handle: OpaquePointer!, _ index: Int64, _ empty: OpaquePointer!
) -> fr_status {
    status {
        let collection = try collection(handle)
        try collection.insert(try placeholder(empty), at: place(index, collection))
    }
}

@_cdecl("fr_collection_replace") @implementation
public func fr_collection_replace(
    _ handle: OpaquePointer!, _ index: Int64, _ child: OpaquePointer!, _ empty: OpaquePointer!
) -> fr_status {
    status {
        let collection = try collection(handle)
        let (list, empty) = (try listBox(child).list, try optionalPlaceholder(empty))
        try removing(try collection.list(at: Int(index)), from: collection, handle) {
            try collection.replace(at: Int(index), with: list, emptySection: empty)
        }
    }
}

@_cdecl("fr_collection_replace_child") @implementation
public func fr_collection_replace_child(
    _ handle: OpaquePointer!, _ old: OpaquePointer!, _ child: OpaquePointer!, _ empty: OpaquePointer!
) -> fr_status {
    status {
        let collection = try collection(handle)
        let (old, list, empty) = (try listBox(old).list, try listBox(child).list, try optionalPlaceholder(empty))
        try removing(old, from: collection, handle) {
            try collection.replace(old, with: list, emptySection: empty)
        }
    }
}

@_cdecl("fr_collection_replace_with_placeholder") @implementation
public func fr_collection_replace_with_placeholder(
    _ handle: OpaquePointer!, _ index: Int64, _ empty: OpaquePointer!
) -> fr_status {
    status {
        let collection = try collection(handle)
        let empty = try placeholder(empty)
        try removing(try collection.list(at: Int(index)), from: collection, handle) {
            try collection.replace(at: Int(index), with: empty)
        }
    }
}

@_cdecl("fr_collection_remove") @implementation
public func fr_collection_remove(_ handle: OpaquePointer!, _ index: Int64) -> fr_status {
    status {
        let collection = try collection(handle)
        try removing(try collection.list(at: Int(index)), from: collection, handle) {
            try collection.remove(at: Int(index))
        }
    }
}

@_cdecl("fr_collection_set_shows_empty_lists") @implementation
public func fr_collection_set_shows_empty_lists(_ handle: OpaquePointer!, _ isShown: Bool) -> fr_status {
    status { try collection(handle).setShowsEmptyLists(isShown) }
}

@_cdecl("fr_collection_shows_empty_lists") @implementation
public func fr_collection_shows_empty_lists(_ out: UnsafeMutablePointer<Bool>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try collection(handle).showsEmptyLists }
}

@_cdecl("fr_collection_child_count") @implementation
public func fr_collection_child_count(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try collection(handle).numberOfChildren) }
}

@_cdecl("fr_collection_child") @implementation
public func fr_collection_child(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!, _ index: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        unsafe out.pointee = try collection(handle).list(at: Int(index)).flatMap { try listBox(handle).lend(child: $0) }
    }
}

@_cdecl("fr_collection_placeholder") @implementation
public func fr_collection_placeholder(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!, _ index: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        unsafe out.pointee = try collection(handle).placeholder(at: Int(index)).flatMap { liveHandle(of: $0) }
    }
}

@_cdecl("fr_collection_index_of") @implementation
public func fr_collection_index_of(
    _ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!, _ child: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        guard let index = try collection(handle).index(of: try listBox(child).list) else {
            throw StoreError(.notFound, "the list is not in the collection")
        }
        unsafe out.pointee = Int64(index)
    }
}

@_cdecl("fr_collection_index_of_placeholder") @implementation
public func fr_collection_index_of_placeholder(
    _ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!, _ child: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        guard let index = try collection(handle).index(of: try placeholder(child)) else {
            throw StoreError(.notFound, "the placeholder is not in the collection")
        }
        unsafe out.pointee = Int64(index)
    }
}

@_cdecl("fr_collection_child_of_section") @implementation
public func fr_collection_child_of_section(
    _ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!, _ section: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        guard let child = try collection(handle).child(ofSection: index(section)) else {
            throw StoreError(.notFound, "the child of section \(section) was removed")
        }
        unsafe out.pointee = Int64(child)
    }
}

@safe private func collection(_ handle: OpaquePointer?) throws -> FetchedResultsCollection {
    guard let collection = try listBox(handle).list as? FetchedResultsCollection else {
        throw StoreError(.misuse, "the list is not a collection")
    }
    return collection
}

/// Calls `body`, which removes a child, and frees the collection's own handle of that child.
@safe private func removing(
    _ removed: (any LiveList)?, from collection: FetchedResultsCollection, _ handle: OpaquePointer?,
    _ body: () throws -> Void
) throws {
    let box = try listBox(handle)
    try body()
    // It may have been replaced by itself.
    if let removed, collection.index(of: removed) == nil { box.freeHandle(ofChild: removed) }
}

/// A placeholder, unless a callback of its collection's delivery never returned.
@safe private func usablePlaceholder(_ handle: OpaquePointer?) throws -> Placeholder {
    let placeholder = try placeholder(handle)
    try placeholder.checkNotAbandoned()
    return placeholder
}

@safe private func optionalPlaceholder(_ handle: OpaquePointer?) throws -> Placeholder? {
    unsafe try handle.map { try placeholder($0) }
}

/// The place that an index means: -1 is the end.
private func place(_ index: Int64, _ collection: FetchedResultsCollection) -> Int {
    index == -1 ? collection.numberOfChildren : Int(index)
}
