public import CFetchedResults
internal import ChangeSets
internal import FetchedResults
internal import SQLiteKit

@_cdecl("fr_list_free") @implementation
public func fr_list_free(_ handle: OpaquePointer!) -> fr_status {
    statusOfFreeing { try (HandleTable.release(handle, .list) as? ListBox)?.close() }
}

@_cdecl("fr_list_count") @implementation
public func fr_list_count(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try listBox(handle).list.numberOfObjects) }
}

@_cdecl("fr_list_section_count") @implementation
public func fr_list_section_count(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try listBox(handle).list.numberOfSections) }
}

@_cdecl("fr_list_section") @implementation
public func fr_list_section(
    _ out: UnsafeMutablePointer<fr_section_info>!, _ handle: OpaquePointer!, _ section: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try listBox(handle)
        unsafe out.pointee = fr_section_info(lending: try box.list.section(at: index(section)), box)
    }
}

@_cdecl("fr_list_section_object") @implementation
public func fr_list_section_object(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!, _ section: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        unsafe out.pointee = try sectionObjectHandle(try listBox(handle).list.sectionObject(at: index(section)))
    }
}

@_cdecl("fr_list_totals") @implementation
public func fr_list_totals(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!, _ section: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let list = try listBox(handle).list
        unsafe out.pointee = try newObjectHandle(list.totals(ofSection: section == -1 ? nil : index(section)))
    }
}

@_cdecl("fr_list_row_count") @implementation
public func fr_list_row_count(
    _ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!, _ section: Int64
) -> fr_status {
    status {
        unsafe try required(out, "out").pointee = Int64(
            try listBox(handle).list.numberOfObjects(inSection: index(section)))
    }
}

@_cdecl("fr_list_object_at") @implementation
public func fr_list_object_at(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!, _ path: fr_index_path
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        unsafe out.pointee = try newObjectHandle(try listBox(handle).list.object(at: try indexPath(path)))
    }
}

@_cdecl("fr_list_rows") @implementation
public func fr_list_rows(
    _ out: UnsafeMutablePointer<fr_rows>!, _ handle: OpaquePointer!, _ path: fr_index_path, _ count: Int
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try listBox(handle)
        let limit = try rowLimit(count)
        unsafe out.pointee = try box.rows.read(box.list, from: try indexPath(path), count: limit)
    }
}

/// The greatest number of rows that a call lends, of as many as the program wants.
private func rowLimit(_ count: Int) throws -> Int {
    guard count != 0 else { throw StoreError(.range, "at least one row has to be requested") }
    // A count beyond the greatest integer of Swift arrives as a negative one.
    return count < 0 ? LentRows.limit : min(count, LentRows.limit)
}

@_cdecl("fr_list_identities") @implementation
public func fr_list_identities(
    _ out: UnsafeMutablePointer<fr_rows>!, _ handle: OpaquePointer!, _ path: fr_index_path, _ count: Int
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try listBox(handle)
        let limit = try rowLimit(count)
        unsafe out.pointee = try box.rows.readIdentities(try box.notifying, from: try indexPath(path), count: limit)
    }
}

@_cdecl("fr_list_identity_at") @implementation
public func fr_list_identity_at(
    _ out: UnsafeMutablePointer<UnsafePointer<fr_value>?>!, _ count: UnsafeMutablePointer<Int>!,
    _ handle: OpaquePointer!, _ path: fr_index_path
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let count = unsafe try required(count, "count")
        let box = try listBox(handle)
        let identity = unsafe box.lend(identity: try box.notifying.identityValues(at: try indexPath(path)))
        unsafe out.pointee = UnsafePointer(identity.baseAddress)
        unsafe count.pointee = identity.count
    }
}

@_cdecl("fr_list_index_path_of") @implementation
public func fr_list_index_path_of(
    _ out: UnsafeMutablePointer<fr_index_path>!, _ handle: OpaquePointer!, _ objectHandle: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        unsafe out.pointee = try found(try listBox(handle).list.indexPath(of: try object(objectHandle)))
    }
}

@_cdecl("fr_list_index_path_of_identity") @implementation
public func fr_list_index_path_of_identity(
    _ out: UnsafeMutablePointer<fr_index_path>!, _ handle: OpaquePointer!, _ identity: UnsafePointer<fr_value>!,
    _ count: Int
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        unsafe out.pointee = try found(
            try listBox(handle).list.indexPath(ofIdentity: try values(identity, count, "identity")))
    }
}

@_cdecl("fr_list_index_path_at") @implementation
public func fr_list_index_path_at(
    _ out: UnsafeMutablePointer<fr_index_path>!, _ handle: OpaquePointer!, _ flatIndex: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        unsafe out.pointee = fr_index_path(try listBox(handle).list.indexPath(at: index(flatIndex)))
    }
}

@_cdecl("fr_list_index_of") @implementation
public func fr_list_index_of(
    _ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!, _ path: fr_index_path
) -> fr_status {
    status {
        unsafe try required(out, "out").pointee = Int64(try listBox(handle).list.index(of: try indexPath(path)))
    }
}

@_cdecl("fr_list_index_title_count") @implementation
public func fr_list_index_title_count(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try listBox(handle).list.sectionIndexTitles.count) }
}

@_cdecl("fr_list_index_title") @implementation
public func fr_list_index_title(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!, _ index: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try listBox(handle)
        let titles = try box.list.sectionIndexTitles
        unsafe out.pointee = box.lend(titles[try checked(index, below: titles.count, "index title")]).pointer
    }
}

@_cdecl("fr_list_section_for_index_title") @implementation
public func fr_list_section_for_index_title(
    _ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!, _ title: UnsafePointer<CChar>!, _ titleIndex: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let title = unsafe try string(title, "title")
        guard let section = try listBox(handle).list.section(forIndexTitle: title, at: index(titleIndex)) else {
            throw StoreError(.notFound, "no section has the index title \(title)")
        }
        unsafe out.pointee = Int64(section)
    }
}

@_cdecl("fr_list_add_observer") @implementation
public func fr_list_add_observer(
    _ out: UnsafeMutablePointer<UInt64>!, _ handle: OpaquePointer!, _ observer: UnsafePointer<fr_observer>!,
    _ pointer: UnsafeMutableRawPointer!, _ destroy: fr_destroy!
) -> fr_status {
    let userData = unsafe UserData(pointer, destroy)
    return status {
        let box = try listBox(handle)
        let observer = unsafe try copied(try required(observer, "observer"), "observer")
        let number = box.list.addObserver(ObserverAdapter(observer, userData, box))
        unsafe out?.pointee = number
    }
}

@_cdecl("fr_list_remove_observer") @implementation
public func fr_list_remove_observer(_ handle: OpaquePointer!, _ observer: UInt64) -> fr_status {
    status {
        guard try listBox(handle).list.removeObserver(observer) else {
            throw StoreError(.notFound, "the list has no observer \(observer)")
        }
    }
}

private func indexPath(_ path: fr_index_path) throws -> ListIndexPath {
    // The core's paths are 32 bits wide; a path that does not fit is out of range as well.
    let limit = Int64(Int32.max)
    guard (0..<limit).contains(path.section), (0..<limit).contains(path.row) else {
        throw StoreError(.range, "index path (\(path.section), \(path.row)) is out of range")
    }
    return ListIndexPath(section: Int(path.section), row: Int(path.row))
}

private func found(_ path: ListIndexPath?) throws -> fr_index_path {
    guard let path else { throw StoreError(.notFound, "the object is not in the list") }
    return fr_index_path(path)
}
