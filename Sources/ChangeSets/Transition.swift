/// What the search for the fewest moves needs to know of a touched item, be it a row or a section.
///
/// An order key has the group (the section's index; 0 where the items are sections) in its upper half and the position
/// in the group in its lower half.
protocol Transition {
    /// Was in the old list.
    var hasOld: Bool { get }
    /// Is in the new list.
    var hasNew: Bool { get }
    var oldKey: UInt64 { get }
    var newKey: UInt64 { get }
    /// Old and new group are the same; only asked of items with both.
    var staysInGroup: Bool { get }
    var isReordered: Bool { get }
    var hasNewContent: Bool { get }
}

extension RowTransition: Transition {
    var hasOld: Bool { !old.isAbsent }
    var hasNew: Bool { !new.isAbsent }
    var oldKey: UInt64 { old.orderKey }
    var newKey: UInt64 { new.orderKey }
    var staysInGroup: Bool { oldSection == newSection }
    var hasNewContent: Bool { !changedColumns.isEmpty }
}

extension SectionTransition: Transition {
    var hasOld: Bool { old >= 0 }
    var hasNew: Bool { new >= 0 }
    var oldKey: UInt64 { UInt64(UInt32(bitPattern: old)) }
    var newKey: UInt64 { UInt64(UInt32(bitPattern: new)) }
    var staysInGroup: Bool { true }
    var hasNewContent: Bool { !changedColumns.isEmpty }
}
