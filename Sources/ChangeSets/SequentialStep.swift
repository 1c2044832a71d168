/// One step of the sequential encoding: its places hold at the moment when it is applied, after all steps before it.
///
/// The source is where the row or section is before the step, the target where it is after it; a move's target is
/// counted after the row or section was taken out. An insert has no source, a delete no target, and an update has the
/// same for both.
public struct SequentialStep: Hashable, Sendable {
    /// What a step is about: a section or an object.
    public enum Kind: UInt8, Sendable {
        /// A section: a step of a section change.
        case section
        /// A row: a step of an object change.
        case object
    }

    /// The columns that changed, as in the record.
    public let changedColumns: ColumnSet
    /// The object's id; 0 for a section.
    public let id: Int64
    private let rawSource: ListIndexPath
    private let rawTarget: ListIndexPath
    private let record32: Int32
    /// Whether the step is about a section or an object.
    public let kind: Kind
    /// What happens to the section or object in this step.
    public let type: ChangeType

    /// The place before the step; a section's has row 0. `nil` for an insert.
    public var source: ListIndexPath? { rawSource.ifPresent }

    /// The place after the step; a section's has row 0. `nil` for a delete.
    public var target: ListIndexPath? { rawTarget.ifPresent }

    /// Where the step's record stands among the change set's section changes or object changes.
    public var record: Int { Int(record32) }

    init(_ change: SectionChange, record: Int, source: Int?, target: Int?) {
        kind = .section
        type = change.type
        id = 0
        rawSource = source.map { ListIndexPath(section: $0, row: 0) } ?? .absent
        rawTarget = target.map { ListIndexPath(section: $0, row: 0) } ?? .absent
        changedColumns = change.changedColumns
        record32 = Int32(truncatingIfNeeded: record)
    }

    init(_ change: ObjectChange, record: Int, source: ListIndexPath?, target: ListIndexPath?) {
        kind = .object
        type = change.type
        id = change.id
        rawSource = source ?? .absent
        rawTarget = target ?? .absent
        changedColumns = change.changedColumns
        record32 = Int32(truncatingIfNeeded: record)
    }
}

extension SequentialStep: CustomStringConvertible {
    /// Kind, type, id and places in one line, for a log.
    public var description: String {
        func place(_ path: ListIndexPath) -> String { kind == .section ? "\(path.section)" : "\(path)" }
        let name = kind == .section ? "section \(type)" : "\(type) \(id)"
        return ([name] + [source, target].compactMap { $0.map(place) }).joined(separator: " ")
    }
}
