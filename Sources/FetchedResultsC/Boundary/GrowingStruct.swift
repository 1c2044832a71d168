internal import CFetchedResults
internal import Glibc
internal import SQLiteKit

/// A structure of the C interface that begins with its size, `struct_size`, so that later versions
/// can add members at its end.
///
/// The size determines the version that the caller was compiled against. Smaller structures have
/// the members of an earlier version; the members that they lack are zero, which means the default.
/// In larger ones, of a later version, the members that this library does not have must be zero: a
/// request for something unknown fails, and is not misunderstood.
protocol GrowingStruct {
    init()
    var struct_size: Int { get set }
    /// The size of the first version. It never changes.
    static var firstSize: Int { get }
}

extension fr_store_options: GrowingStruct {
    static var firstSize: Int { unsafe end(of: \Self.journal_mode) }
}

extension fr_observer: GrowingStruct {
    static var firstSize: Int { unsafe end(of: \Self.did_fail) }
}

extension fr_counters: GrowingStruct {
    /// The size without `rereads`; the caller gets as many of these as fit.
    static var firstSize: Int { end(of: \Self.cached_fetches) }
}

extension fr_explanation: GrowingStruct {
    static var firstSize: Int { unsafe end(of: \Self.whole_reads) }
}

extension fr_foreign_counters: GrowingStruct {
    /// The size without `unknown`; the caller gets as many of these as fit.
    static var firstSize: Int { end(of: \Self.rows) }
}

extension fr_delivery_times: GrowingStruct {
    static var firstSize: Int { end(of: \Self.last) }
}

extension fr_dispatch_result: GrowingStruct {
    static var firstSize: Int { end(of: \Self.is_complete) }
}

extension fr_request_info: GrowingStruct {
    static var firstSize: Int { unsafe end(of: \Self.cache_name) }
}

extension fr_section_map_options: GrowingStruct {
    static var firstSize: Int { unsafe end(of: \Self.items_without_section) }
}

extension fr_view: GrowingStruct {
    static var firstSize: Int { unsafe end(of: \Self.did_fail) }
}

extension fr_cells: GrowingStruct {
    static var firstSize: Int { unsafe end(of: \Self.configure_supplementary) }
}

extension fr_entity: GrowingStruct {
    static var firstSize: Int { unsafe end(of: \Self.delete_item) }
}

extension fr_function: GrowingStruct {
    static var firstSize: Int { unsafe end(of: \Self.free_data) }
}

extension GrowingStruct {
    /// The number of bytes of a structure whose last member is the given one.
    fileprivate static func end<Member>(of member: KeyPath<Self, Member>) -> Int {
        // Every stored member of an imported structure has an offset.
        (MemoryLayout<Self>.offset(of: member) ?? MemoryLayout<Self>.size) + MemoryLayout<Member>.size
    }

    /// The greatest size that can be meant.
    private static var greatestSize: Int { 4096 }

    /// Checks the size that a caller passed, before anything else of its structure is read.
    fileprivate static func check(_ size: Int, _ name: String) throws {
        guard size >= firstSize, size <= greatestSize, size % MemoryLayout<Self>.alignment == 0 else {
            throw StoreError(.range, "struct_size of the \(name) can't be \(size)")
        }
    }

    /// Checks the structure of a caller that is filled later.
    static func checkSize(of pointer: UnsafeMutablePointer<Self>, _ name: String) throws {
        unsafe try check(sizeField(of: pointer), name)
    }

    /// Fills a structure of the caller up to its size, and zeroes the rest of a larger one.
    func write(to pointer: UnsafeMutablePointer<Self>, _ name: String) throws {
        let (target, size) = unsafe (UnsafeMutableRawPointer(pointer), sizeField(of: pointer))
        try Self.check(size, name)
        var value = self
        value.struct_size = size
        let known = min(size, MemoryLayout<Self>.size)
        unsafe withUnsafeBytes(of: value) { bytes in
            // A value of a type that is not empty has an address.
            if let base = bytes.baseAddress { unsafe memcpy(target, base, known) }
        }
        unsafe memset(target + known, 0, size - known)
    }
}

/// The size that a structure begins with; the rest of it may not exist.
private func sizeField<Struct>(of pointer: UnsafePointer<Struct>) -> Int {
    unsafe UnsafeRawPointer(pointer).load(as: Int.self)
}

private func sizeField<Struct>(of pointer: UnsafeMutablePointer<Struct>) -> Int {
    unsafe sizeField(of: UnsafePointer(pointer))
}

/// A structure of the caller, copied up to its size; the members that it lacks are zero.
func copied<Struct: GrowingStruct>(_ pointer: UnsafePointer<Struct>, _ name: String) throws -> Struct {
    let (source, size) = unsafe (UnsafeRawPointer(pointer), sizeField(of: pointer))
    try Struct.check(size, name)
    let known = min(size, MemoryLayout<Struct>.size)
    let beyond = unsafe UnsafeRawBufferPointer(start: source + known, count: size - known)
    guard unsafe beyond.allSatisfy({ $0 == 0 }) else {
        throw StoreError(
            .range,
            "the \(name) has members that this version of the library does not have: struct_size is \(size), not \(known)"
        )
    }
    var value = Struct()
    unsafe withUnsafeMutableBytes(of: &value) {
        unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: source, count: known))
    }
    return value
}
