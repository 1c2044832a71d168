public import CFetchedResults
internal import ChangeSets
internal import FetchedResults
internal import SQLiteKit

@_cdecl("fr_change_set_group") @implementation
public func fr_change_set_group(
    _ out: UnsafeMutablePointer<UnsafePointer<fr_change>?>!, _ count: UnsafeMutablePointer<Int>!,
    _ handle: OpaquePointer!,
    _ kind: Int32, _ type: Int32
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let count = unsafe try required(count, "count")
        let box = try changeSet(handle)
        guard kind == FR_SECTION || kind == FR_OBJECT else {
            throw StoreError(.range, "there is no record kind \(kind)")
        }
        guard let type = ChangeType(rawValue: type) else {
            throw StoreError(.range, "there is no record type \(type)")
        }
        let group = try box.group(ofSections: kind == FR_SECTION, type)
        unsafe out.pointee =
            group.isEmpty ? nil : UnsafePointer(box.records().baseAddress).map { unsafe $0 + group.lowerBound }
        unsafe count.pointee = group.count
    }
}

@_cdecl("fr_change_set_identity") @implementation
public func fr_change_set_identity(
    _ out: UnsafeMutablePointer<UnsafePointer<fr_value>?>!, _ count: UnsafeMutablePointer<Int>!,
    _ handle: OpaquePointer!,
    _ index: Int
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let count = unsafe try required(count, "count")
        let values = unsafe try changeSet(handle).identity(index)
        unsafe out.pointee = UnsafePointer(values.baseAddress)
        unsafe count.pointee = values.count
    }
}

@_cdecl("fr_change_set_ranges") @implementation
public func fr_change_set_ranges(
    _ out: UnsafeMutablePointer<UnsafePointer<fr_range>?>!, _ count: UnsafeMutablePointer<Int>!,
    _ handle: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let count = unsafe try required(count, "count")
        let ranges = unsafe try changeSet(handle).ranges()
        unsafe out.pointee = UnsafePointer(ranges.baseAddress)
        unsafe count.pointee = ranges.count
    }
}

@_cdecl("fr_change_set_totals") @implementation
public func fr_change_set_totals(
    _ out: UnsafeMutablePointer<UnsafePointer<fr_total_change>?>!, _ count: UnsafeMutablePointer<Int>!,
    _ handle: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let count = unsafe try required(count, "count")
        let totals = unsafe try changeSet(handle).totals()
        unsafe out.pointee = totals.isEmpty ? nil : UnsafePointer(totals.baseAddress)
        unsafe count.pointee = totals.count
    }
}

@_cdecl("fr_change_set_replay") @implementation
public func fr_change_set_replay(
    _ out: UnsafeMutablePointer<UnsafePointer<fr_replayed_section>?>!, _ count: UnsafeMutablePointer<Int>!,
    _ handle: OpaquePointer!, _ rowCounts: UnsafePointer<Int64>!, _ sectionCount: Int
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let count = unsafe try required(count, "count")
        let sections = unsafe try changeSet(handle).replay(rowCounts, sectionCount: sectionCount)
        unsafe out.pointee = UnsafePointer(sections.baseAddress)
        unsafe count.pointee = sections.count
    }
}
