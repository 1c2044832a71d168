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
        let out = try required(out, "out")
        let count = try required(count, "count")
        let box = try changeSet(handle)
        guard kind == FR_SECTION || kind == FR_OBJECT else {
            throw StoreError(.range, "there is no kind \(kind) of records")
        }
        guard let type = ChangeType(rawValue: type) else {
            throw StoreError(.range, "there is no type \(type) of records")
        }
        let group = try box.group(ofSections: kind == FR_SECTION, type)
        out.pointee = group.isEmpty ? nil : UnsafePointer(box.records.baseAddress).map { $0 + group.lowerBound }
        count.pointee = group.count
    }
}

@_cdecl("fr_change_set_identity") @implementation
public func fr_change_set_identity(
    _ out: UnsafeMutablePointer<UnsafePointer<fr_value>?>!, _ count: UnsafeMutablePointer<Int>!,
    _ handle: OpaquePointer!,
    _ index: Int
) -> fr_status {
    status {
        let out = try required(out, "out")
        let count = try required(count, "count")
        let values = try changeSet(handle).identity(index).values
        out.pointee = UnsafePointer(values.baseAddress)
        count.pointee = values.count
    }
}

@_cdecl("fr_change_set_ranges") @implementation
public func fr_change_set_ranges(
    _ out: UnsafeMutablePointer<UnsafePointer<fr_range>?>!, _ count: UnsafeMutablePointer<Int>!,
    _ handle: OpaquePointer!
) -> fr_status {
    status {
        let out = try required(out, "out")
        let count = try required(count, "count")
        let ranges = try changeSet(handle).ranges()
        out.pointee = UnsafePointer(ranges.baseAddress)
        count.pointee = ranges.count
    }
}

@_cdecl("fr_change_set_replay") @implementation
public func fr_change_set_replay(
    _ out: UnsafeMutablePointer<UnsafePointer<fr_replayed_section>?>!, _ count: UnsafeMutablePointer<Int>!,
    _ handle: OpaquePointer!, _ rowCounts: UnsafePointer<Int64>!, _ sectionCount: Int
) -> fr_status {
    status {
        let out = try required(out, "out")
        let count = try required(count, "count")
        let box = try changeSet(handle)
        guard sectionCount >= 0, sectionCount <= Int32.max else {
            throw StoreError(.range, "there can't be \(sectionCount) sections")
        }
        let rowCounts = UnsafeBufferPointer(
            start: sectionCount == 0 ? nil : try required(rowCounts, "row_counts"), count: sectionCount)
        let sections = try box.replay(rowCounts).sections
        out.pointee = UnsafePointer(sections.baseAddress)
        count.pointee = sections.count
    }
}
