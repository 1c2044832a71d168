/// A change of one object, a row of the list.
///
/// The old path is a position in the list before the change set, the new one in the list after all
/// of it. An insert has no old path, a delete has no new one; a move and an update have both.
public struct ObjectChange: Hashable, Sendable {
    /// The row's identity, a number whose meaning only its list defines.
    public let id: Int64
    /// `ListIndexPath.absent` for none, which limits the record to 48 bytes.
    package let rawOld: ListIndexPath
    package let rawNew: ListIndexPath
    /// The columns of the object's content that changed; empty for an insert and a delete, possibly
    /// empty for a move.
    public let changedColumns: ColumnSet
    /// The kind of change.
    public let type: ChangeType

    private init(_ type: ChangeType, _ id: Int64, _ old: ListIndexPath, _ new: ListIndexPath, _ columns: ColumnSet) {
        self.id = id
        rawOld = old
        rawNew = new
        changedColumns = columns
        self.type = type
    }

    /// Path in the list before the change set; `nil` for an insert.
    public var oldPath: ListIndexPath? { rawOld.ifPresent }

    /// Path in the list after the change set; `nil` for a delete.
    public var newPath: ListIndexPath? { rawNew.ifPresent }

    /// The record of an inserted object.
    public static func insert(_ id: Int64, at newPath: ListIndexPath) -> ObjectChange {
        ObjectChange(.insert, id, .absent, newPath, ColumnSet())
    }

    /// The record of a deleted object.
    public static func delete(_ id: Int64, at oldPath: ListIndexPath) -> ObjectChange {
        ObjectChange(.delete, id, oldPath, .absent, ColumnSet())
    }

    /// The record of a moved object.
    ///
    /// - Parameter changedColumns: The columns whose values also changed; empty if only the place
    ///   changed.
    public static func move(
        _ id: Int64, from oldPath: ListIndexPath, to newPath: ListIndexPath, changedColumns: ColumnSet = []
    ) -> ObjectChange {
        ObjectChange(.move, id, oldPath, newPath, changedColumns)
    }

    /// The record of an object whose content changed.
    ///
    /// The paths differ if other rows shifted it.
    public static func update(
        _ id: Int64, from oldPath: ListIndexPath, to newPath: ListIndexPath, changedColumns: ColumnSet
    ) -> ObjectChange {
        ObjectChange(.update, id, oldPath, newPath, changedColumns)
    }
}

extension ObjectChange: CustomStringConvertible {
    /// Type, id, paths and changed columns in one line, for a log.
    public var description: String {
        switch type {
        case .insert: "insert \(id) at \(rawNew)"
        case .delete: "delete \(id) at \(rawOld)"
        case .move: "move \(id) from \(rawOld) to \(rawNew) \(changedColumns)"
        case .update: "update \(id) from \(rawOld) to \(rawNew) \(changedColumns)"
        }
    }
}
