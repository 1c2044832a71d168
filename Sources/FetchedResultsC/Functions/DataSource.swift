public import CFetchedResults
internal import ChangeSets
internal import FetchedResults
internal import FetchedResultsViews
internal import SQLiteKit

@_cdecl("fr_data_source_new") @implementation
public func fr_data_source_new(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ list: OpaquePointer!, _ callbacks: UnsafePointer<fr_cells>!,
    _ pointer: UnsafeMutableRawPointer!, _ destroy: fr_destroy!
) -> fr_status {
    let userData = unsafe UserData(pointer, destroy)
    return status { unsafe try makeSource(out, callbacks, userData) { AnyItems(ListItems(try listBox(list).list)) } }
}

@_cdecl("fr_data_source_new_array") @implementation
public func fr_data_source_new_array(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ given: UnsafePointer<OpaquePointer?>!, _ count: Int,
    _ callbacks: UnsafePointer<fr_cells>!, _ pointer: UnsafeMutableRawPointer!, _ destroy: fr_destroy!
) -> fr_status {
    let userData = unsafe UserData(pointer, destroy)
    return status { unsafe try makeSource(out, callbacks, userData) { unsafe AnyItems(try objects(given, count)) } }
}

@_cdecl("fr_data_source_new_picker") @implementation
public func fr_data_source_new_picker(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ list: OpaquePointer!, _ hasBlankRow: Bool,
    _ callbacks: UnsafePointer<fr_cells>!, _ pointer: UnsafeMutableRawPointer!, _ destroy: fr_destroy!
) -> fr_status {
    let userData = unsafe UserData(pointer, destroy)
    return status {
        unsafe try makeSource(out, callbacks, userData) {
            AnyItems(picker: ListItems(try listBox(list).list), hasBlankRow: hasBlankRow)
        }
    }
}

private func makeSource(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ callbacks: UnsafePointer<fr_cells>?, _ userData: UserData,
    _ items: () throws -> AnyItems
) throws {
    let out = unsafe try required(out, "out")
    let box = unsafe DataSourceBox(try items(), CellsAdapter(try cells(callbacks), userData))
    unsafe out.pointee = try newHandle(box, .dataSource)
}

@_cdecl("fr_data_source_free") @implementation
public func fr_data_source_free(_ handle: OpaquePointer!) {
    guard let box = HandleTable.release(handle, .dataSource) as? DataSourceBox else { return }
    box.end()
}

// MARK: Items

@_cdecl("fr_data_source_section_count") @implementation
public func fr_data_source_section_count(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = Int64(try dataSource(handle).items.numberOfSections) }
}

@_cdecl("fr_data_source_row_count") @implementation
public func fr_data_source_row_count(
    _ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!, _ section: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try dataSource(handle)
        unsafe out.pointee = Int64(box.items.numberOfRows(inSection: try box.section(section)))
    }
}

@_cdecl("fr_data_source_object_at") @implementation
public func fr_data_source_object_at(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!, _ place: fr_index_path
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        guard let object = try dataSource(handle).items.item(at: try path(place)) else {
            throw StoreError(.notFound, "the first row has no object")
        }
        unsafe out.pointee = try newObjectHandle(object)
    }
}

@_cdecl("fr_data_source_index_path_of") @implementation
public func fr_data_source_index_path_of(
    _ out: UnsafeMutablePointer<fr_index_path>!, _ handle: OpaquePointer!, _ objectHandle: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let items = try dataSource(handle).items
        guard let path = unsafe try items.indexPath(of: try objectHandle.map { try object($0) }) else {
            throw StoreError(.notFound, "the object is not in the list")
        }
        unsafe out.pointee = fr_index_path(path)
    }
}

// MARK: Cells

@_cdecl("fr_data_source_cell") @implementation
public func fr_data_source_cell(
    _ out: UnsafeMutablePointer<UnsafeMutableRawPointer?>!, _ handle: OpaquePointer!, _ place: fr_index_path
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try dataSource(handle)
        unsafe out.pointee = try box.table.cell(at: try path(place), in: box.cells)
    }
}

@_cdecl("fr_data_source_update_visible_cell") @implementation
public func fr_data_source_update_visible_cell(
    _ handle: OpaquePointer!, _ place: fr_index_path, _ objectHandle: OpaquePointer!
) -> fr_status {
    status {
        let cells = try dataSource(handle).cells
        unsafe cells.makeUpdateVisibleCell(cells)(try path(place), try object(objectHandle))
    }
}

@_cdecl("fr_data_source_supplementary") @implementation
public func fr_data_source_supplementary(
    _ out: UnsafeMutablePointer<UnsafeMutableRawPointer?>!, _ handle: OpaquePointer!, _ kind: UnsafePointer<CChar>!,
    _ place: fr_index_path
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try dataSource(handle)
        let kind = unsafe try string(kind, "kind")
        unsafe out.pointee = box.grid.supplementary(ofKind: kind, at: try path(place), in: box.cells)
    }
}

// MARK: Headers and index

@_cdecl("fr_data_source_set_system_headers") @implementation
public func fr_data_source_set_system_headers(_ handle: OpaquePointer!, _ systemHeaders: Bool) -> fr_status {
    status { unsafe try dataSource(handle).table.systemHeaders = systemHeaders }
}

@_cdecl("fr_data_source_set_default_section_title") @implementation
public func fr_data_source_set_default_section_title(_ handle: OpaquePointer!, _ title: UnsafePointer<CChar>!)
    -> fr_status
{
    status { unsafe try dataSource(handle).table.defaultSectionTitle = try optionalString(title, "title") }
}

@_cdecl("fr_data_source_set_section_title_format") @implementation
public func fr_data_source_set_section_title_format(_ handle: OpaquePointer!, _ format: UnsafePointer<CChar>!)
    -> fr_status
{
    status { unsafe try dataSource(handle).table.sectionTitleFormat = try optionalString(format, "format") }
}

@_cdecl("fr_data_source_set_table_index") @implementation
public func fr_data_source_set_table_index(_ handle: OpaquePointer!, _ tableIndex: Bool) -> fr_status {
    status { unsafe try dataSource(handle).table.tableIndex = tableIndex }
}

@_cdecl("fr_data_source_section_title") @implementation
public func fr_data_source_section_title(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!, _ section: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try dataSource(handle)
        unsafe out.pointee = box.table.title(forHeaderOfSection: try box.section(section)).map(box.lend)
    }
}

@_cdecl("fr_data_source_index_title_count") @implementation
public func fr_data_source_index_title_count(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status
{
    status {
        unsafe try required(out, "out").pointee = Int64(try dataSource(handle).table.sectionIndexTitles?.count ?? 0)
    }
}

@_cdecl("fr_data_source_index_title") @implementation
public func fr_data_source_index_title(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!, _ index: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try dataSource(handle)
        let titles = unsafe box.table.sectionIndexTitles ?? []
        unsafe out.pointee = box.lend(titles[try checked(index, below: titles.count, "index title")])
    }
}

@_cdecl("fr_data_source_section_for_index_title") @implementation
public func fr_data_source_section_for_index_title(
    _ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!, _ title: UnsafePointer<CChar>!, _ titleIndex: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let table = try dataSource(handle).table
        let title = unsafe try string(title, "title")
        guard let section = unsafe table.section(forIndexTitle: title, at: index(titleIndex)) else {
            throw StoreError(.notFound, "no section has the index title \(title)")
        }
        unsafe out.pointee = Int64(section)
    }
}

// MARK: Selection

@_cdecl("fr_data_source_selected_objects") @implementation
public func fr_data_source_selected_objects(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ outCount: UnsafeMutablePointer<Int>!, _ handle: OpaquePointer!,
    _ paths: UnsafePointer<fr_index_path>!, _ count: Int
) -> fr_status {
    status {
        let items = try dataSource(handle).items
        let paths = unsafe try array(paths, count, "paths")
        let out = unsafe count == 0 ? nil : try required(out, "out")
        let found = unsafe items.items(at: paths.compactMap { try? path($0) }).compactMap(\.self)
        var handles: [OpaquePointer] = unsafe []
        do {
            for object in found { unsafe handles.append(try newObjectHandle(object)) }
        } catch {
            unsafe handles.forEach { HandleTable.release($0, .object) }
            throw error
        }
        for index in unsafe handles.indices { unsafe out?[index] = handles[index] }
        unsafe outCount?.pointee = handles.count
    }
}

@_cdecl("fr_data_source_select_objects") @implementation
public func fr_data_source_select_objects(
    _ out: UnsafeMutablePointer<fr_index_path>!, _ unknown: UnsafeMutablePointer<Int>!, _ handle: OpaquePointer!,
    _ given: UnsafePointer<OpaquePointer?>!, _ count: Int
) -> fr_status {
    status {
        let items = try dataSource(handle).items
        let objects = unsafe try objects(given, count)
        let out = unsafe count == 0 ? nil : try required(out, "out")
        let paths = objects.map { (try? items.indexPath(of: $0)) ?? nil }
        for (index, path) in paths.enumerated() { unsafe out?[index] = fr_index_path(path) }
        unsafe unknown?.pointee = paths.count { $0 == nil }
    }
}
