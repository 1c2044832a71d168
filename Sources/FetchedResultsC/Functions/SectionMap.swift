public import CFetchedResults
internal import FetchedResults
internal import SQLiteKit

@_cdecl("fr_section_map_new") @implementation
public func fr_section_map_new(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ storeHandle: OpaquePointer!, _ items: OpaquePointer!,
    _ sections: OpaquePointer!, _ itemKey: UnsafePointer<CChar>!, _ options: UnsafePointer<fr_section_map_options>!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let options = unsafe try mapOptions(options)
        let map = unsafe try SectionMap(
            store: try store(storeHandle), items: try request(items).request, sections: try request(sections).request,
            itemKey: try string(itemKey, "item_key"), sectionKey: options.sectionKey, indexTitle: options.indexTitle,
            emptySections: options.emptySections, itemsWithoutSection: options.itemsWithoutSection)
        unsafe out.pointee = try newListHandle(map)
    }
}

@_cdecl("fr_section_map_new_with_keys") @implementation
public func fr_section_map_new_with_keys(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ storeHandle: OpaquePointer!, _ items: OpaquePointer!,
    _ keys: UnsafePointer<fr_value>!, _ count: Int, _ itemKey: UnsafePointer<CChar>!,
    _ options: UnsafePointer<fr_section_map_options>!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let options = unsafe try mapOptions(options)
        let map = unsafe try SectionMap(
            store: try store(storeHandle), items: try request(items).request,
            sectionKeys: try values(keys, count, "keys"), itemKey: try string(itemKey, "item_key"),
            emptySections: options.emptySections, itemsWithoutSection: options.itemsWithoutSection)
        unsafe out.pointee = try newListHandle(map)
    }
}

@_cdecl("fr_section_map_set_keys") @implementation
public func fr_section_map_set_keys(
    _ handle: OpaquePointer!, _ keys: UnsafePointer<fr_value>!, _ count: Int
) -> fr_status {
    status { unsafe try sectionMap(handle).setSectionKeys(try values(keys, count, "keys")) }
}

@_cdecl("fr_section_map_set_section_request") @implementation
public func fr_section_map_set_section_request(_ handle: OpaquePointer!, _ sections: OpaquePointer!) -> fr_status {
    status { try sectionMap(handle).setSectionRequest(try request(sections).request) }
}

@_cdecl("fr_section_map_set_empty_sections") @implementation
public func fr_section_map_set_empty_sections(_ handle: OpaquePointer!, _ value: Int32) -> fr_status {
    status { try sectionMap(handle).setEmptySections(try emptySections(value)) }
}

@_cdecl("fr_section_map_set_items_without_section") @implementation
public func fr_section_map_set_items_without_section(_ handle: OpaquePointer!, _ value: Int32) -> fr_status {
    status { try sectionMap(handle).setItemsWithoutSection(try itemsWithoutSection(value)) }
}

@_cdecl("fr_section_map_all_section_count") @implementation
public func fr_section_map_all_section_count(_ out: UnsafeMutablePointer<Int64>!, _ handle: OpaquePointer!) -> fr_status
{
    status { unsafe try required(out, "out").pointee = Int64(try sectionMap(handle).numberOfAllSections) }
}

@_cdecl("fr_section_map_all_section") @implementation
public func fr_section_map_all_section(
    _ out: UnsafeMutablePointer<fr_section_info>!, _ handle: OpaquePointer!, _ number: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let info = try sectionMap(handle).section(ofAll: index(number))
        unsafe out.pointee = fr_section_info(lending: info, try listBox(handle))
    }
}

@_cdecl("fr_section_map_all_section_object") @implementation
public func fr_section_map_all_section_object(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!, _ number: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        unsafe out.pointee = try sectionObjectHandle(try sectionMap(handle).sectionObject(ofAll: index(number)))
    }
}

@_cdecl("fr_section_map_sections") @implementation
public func fr_section_map_sections(
    _ out: UnsafeMutablePointer<UnsafePointer<Int64>?>!, _ count: UnsafeMutablePointer<Int>!, _ handle: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let count = unsafe try required(count, "count")
        let map = try sectionMap(handle)
        _ = try map.numberOfAllSections
        let numbers = try listBox(handle).lendSectionNumbers { try map.numbersOfSections }
        unsafe out.pointee = UnsafePointer(numbers.values.baseAddress)
        unsafe count.pointee = numbers.values.count
    }
}

@_cdecl("fr_section_map_set_disabled") @implementation
public func fr_section_map_set_disabled(_ handle: OpaquePointer!, _ disabled: Bool) -> fr_status {
    status { try sectionMap(handle).setDisabled(disabled) }
}

@_cdecl("fr_section_map_is_disabled") @implementation
public func fr_section_map_is_disabled(_ out: UnsafeMutablePointer<Bool>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try sectionMap(handle).isDisabled }
}

@safe func sectionMap(_ handle: OpaquePointer?) throws -> SectionMap {
    guard let map = try listBox(handle).list as? SectionMap else {
        throw StoreError(.misuse, "the list is not a section map")
    }
    return map
}

private func emptySections(_ value: Int32) throws -> EmptySections {
    guard let option = EmptySections(rawValue: value) else {
        throw StoreError(.range, "empty_sections has the unknown value \(value)")
    }
    return option
}

private func itemsWithoutSection(_ value: Int32) throws -> ItemsWithoutSection {
    guard let option = ItemsWithoutSection(rawValue: value) else {
        throw StoreError(.range, "items_without_section has the unknown value \(value)")
    }
    return option
}

/// The options of a new map, copied; the defaults for NULL.
private func mapOptions(
    _ options: UnsafePointer<fr_section_map_options>?
) throws -> (
    sectionKey: String?, indexTitle: String?, emptySections: EmptySections, itemsWithoutSection: ItemsWithoutSection
) {
    let options = unsafe try options.map { unsafe try copied($0, "options") } ?? fr_section_map_options()
    return unsafe (
        try optionalString(options.section_key, "section_key"), try optionalString(options.index_title, "index_title"),
        try emptySections(options.empty_sections), try itemsWithoutSection(options.items_without_section)
    )
}
