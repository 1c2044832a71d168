public import CFetchedResults
internal import ChangeSets
internal import FetchedResults
internal import SQLiteKit

@_cdecl("fr_change_set_ref") @implementation
public func fr_change_set_ref(_ changes: OpaquePointer!) -> OpaquePointer! {
    unsafe HandleTable.retain(changes, .changeSet) ? changes : nil
}

@_cdecl("fr_change_set_unref") @implementation
public func fr_change_set_unref(_ changes: OpaquePointer!) { HandleTable.release(changes, .changeSet) }

@_cdecl("fr_change_set_records") @implementation
public func fr_change_set_records(
    _ out: UnsafeMutablePointer<UnsafePointer<fr_change>?>!, _ count: UnsafeMutablePointer<Int>!,
    _ handle: OpaquePointer!
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let count = unsafe try required(count, "count")
        let records = unsafe try changeSet(handle).records()
        unsafe out.pointee = UnsafePointer(records.baseAddress)
        unsafe count.pointee = records.count
    }
}

@_cdecl("fr_change_set_count") @implementation
public func fr_change_set_count(_ out: UnsafeMutablePointer<Int>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try changeSet(handle).recordCount }
}

@_cdecl("fr_change_set_read") @implementation
public func fr_change_set_read(
    _ out: UnsafeMutablePointer<fr_change>!, _ count: UnsafeMutablePointer<Int>!, _ handle: OpaquePointer!,
    _ first: Int
) -> fr_status {
    status {
        let count = unsafe try required(count, "count")
        let out = unsafe try required(out, "out")
        let box = try changeSet(handle)
        guard (0...box.recordCount).contains(first) else {
            throw StoreError.outOfRange("record \(first)", count: box.recordCount)
        }
        // A size beyond the range of Int is negative here.
        let rest = box.recordCount - first
        let length = unsafe count.pointee < 0 ? rest : min(rest, count.pointee)
        unsafe box.read(into: UnsafeMutableBufferPointer(start: out, count: length), from: first)
        unsafe count.pointee = length
    }
}

@_cdecl("fr_change_set_object") @implementation
public func fr_change_set_object(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!, _ index: Int
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try changeSet(handle)
        unsafe out.pointee = try newObjectHandle(try box.changes.object(of: try box.objectChange(index)))
    }
}

@_cdecl("fr_change_set_old_value") @implementation
public func fr_change_set_old_value(
    _ out: UnsafeMutablePointer<fr_value>!, _ handle: OpaquePointer!, _ index: Int, _ column: Int64
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try changeSet(handle)
        guard let old = try box.oldValue(index, column: column) else {
            throw StoreError(.notFound, "the old values of record \(index) are not known")
        }
        unsafe out.pointee = borrowedValue(old.content, old.column)
    }
}

@_cdecl("fr_change_set_column_changed") @implementation
public func fr_change_set_column_changed(
    _ out: UnsafeMutablePointer<Bool>!, _ handle: OpaquePointer!, _ index: Int, _ column: Int64
) -> fr_status {
    status { unsafe try required(out, "out").pointee = try changeSet(handle).columnChanged(index, column: column) }
}

@_cdecl("fr_change_set_column_name") @implementation
public func fr_change_set_column_name(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!, _ index: Int, _ column: Int64
) -> fr_status {
    status { unsafe try required(out, "out").pointee = try changeSet(handle).columnName(index, column: column) }
}

@_cdecl("fr_change_set_section_name") @implementation
public func fr_change_set_section_name(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!, _ index: Int
) -> fr_status {
    status { unsafe try required(out, "out").pointee = try changeSet(handle).sectionName(index) }
}

@_cdecl("fr_change_set_old_section_name") @implementation
public func fr_change_set_old_section_name(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ handle: OpaquePointer!, _ index: Int
) -> fr_status {
    status { unsafe try required(out, "out").pointee = try changeSet(handle).oldSectionName(index) }
}

@_cdecl("fr_change_set_sequential") @implementation
public func fr_change_set_sequential(_ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!)
    -> fr_status
{
    status {
        let out = unsafe try required(out, "out")
        unsafe out.pointee = try newHandle(ChangeSetBox(sequential: try changeSet(handle)), .changeSet)
    }
}

@_cdecl("fr_change_set_is_reload") @implementation
public func fr_change_set_is_reload(_ out: UnsafeMutablePointer<Bool>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try changeSet(handle).changes.isReload }
}

@_cdecl("fr_change_set_origin") @implementation
public func fr_change_set_origin(_ out: UnsafeMutablePointer<UInt32>!, _ handle: OpaquePointer!) -> fr_status {
    status { unsafe try required(out, "out").pointee = try changeSet(handle).changes.changeSet.origin.rawValue }
}

@_cdecl("fr_change_set_section_object") @implementation
public func fr_change_set_section_object(
    _ out: UnsafeMutablePointer<OpaquePointer?>!, _ handle: OpaquePointer!, _ index: Int
) -> fr_status {
    status {
        let out = unsafe try required(out, "out")
        let box = try changeSet(handle)
        unsafe out.pointee = try sectionObjectHandle(try box.changes.sectionObject(of: try box.sectionChange(index)))
    }
}
