/// A change of one section.
///
/// The old index is a position in the list before the change set, the new one in the list after all
/// of it. An insert has no old index, a delete has no new one; a move and an update have both.
public struct SectionChange: Hashable, Sendable {
    /// The columns of the section's own values that changed, and behind these its totals; empty for
    /// an insert and a delete, possibly empty for a move.
    public let changedColumns: ColumnSet
    /// Index before the change set, -1 for none. 32 bits limit the record to 32 bytes.
    private let old: Int32
    private let new: Int32
    /// The kind of change.
    public let type: ChangeType

    private init(_ type: ChangeType, _ old: Int, _ new: Int, _ columns: ColumnSet) {
        changedColumns = columns
        self.old = Int32(clamping: old)
        self.new = Int32(clamping: new)
        self.type = type
    }

    /// Index in the list before the change set; `nil` for an insert.
    public var oldIndex: Int? { old < 0 ? nil : Int(old) }

    /// Index in the list after the change set; `nil` for a delete.
    public var newIndex: Int? { new < 0 ? nil : Int(new) }

    /// The record of an inserted section.
    public static func insert(at newIndex: Int) -> SectionChange { SectionChange(.insert, -1, newIndex, ColumnSet()) }

    /// The record of a deleted section.
    public static func delete(at oldIndex: Int) -> SectionChange { SectionChange(.delete, oldIndex, -1, ColumnSet()) }

    /// The record of a moved section.
    ///
    /// - Parameter changedColumns: The columns of the section's own values that also changed.
    public static func move(from oldIndex: Int, to newIndex: Int, changedColumns: ColumnSet = []) -> SectionChange {
        SectionChange(.move, oldIndex, newIndex, changedColumns)
    }

    /// The record of a section whose own values changed.
    ///
    /// The indexes differ if other sections shifted it.
    public static func update(from oldIndex: Int, to newIndex: Int, changedColumns: ColumnSet) -> SectionChange {
        SectionChange(.update, oldIndex, newIndex, changedColumns)
    }
}

extension SectionChange {
    /// Old index, or -1, for the computation of the encodings.
    package var rawOld: Int { Int(old) }

    /// New index, or -1.
    package var rawNew: Int { Int(new) }
}

extension SectionChange: CustomStringConvertible {
    /// Type, indexes and changed columns in one line, for a log.
    public var description: String {
        switch type {
        case .insert: "section insert \(new)"
        case .delete: "section delete \(old)"
        case .move: "section move \(old) to \(new) \(changedColumns)"
        case .update: "section update \(old) to \(new) \(changedColumns)"
        }
    }
}
