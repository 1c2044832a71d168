/// One step of the sequential encoding. Its places are valid at the moment when it is applied,
/// after all earlier steps.
///
/// The source is the place of the row or section before the step, the target its place after it. A
/// move's target is counted without the row or section. An insert has no source, a delete has no
/// target, and an update has the same place for both.
public struct SequentialStep: Hashable, Sendable {
    /// The subject of a step: a section or an object.
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
    /// Whether the step changes a section or an object.
    public let kind: Kind
    /// The kind of change to the section or object in this step.
    public let type: ChangeType

    /// The place before the step; a section's has row 0. `nil` for an insert.
    public var source: ListIndexPath? { rawSource.ifPresent }

    /// The place after the step; a section's has row 0. `nil` for a delete.
    public var target: ListIndexPath? { rawTarget.ifPresent }

    /// The number of the step's record among the change set's section changes or object changes.
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
