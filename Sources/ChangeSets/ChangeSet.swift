/// Everything that one delivery changed in a sectioned list, as one immutable value.
///
/// Its meaning is its replay on the old list:
/// 1. Remove the rows at the old paths of row deletes and moves.
/// 2. Remove deleted and moved sections (a moved one retains its remaining rows).
/// 3. Insert inserted (empty) and moved sections in ascending new index.
/// 4. Insert inserted and moved rows in ascending new path.
/// 5. Replace updated rows and sections at their new places.
///
/// Records are in one fixed order, sections and objects apart: deletes (descending old), inserts,
/// moves and updates (each ascending new). Rows that other rows merely shifted have no record. Each
/// row of inserted and deleted sections has a record. The move of a section adds no records of its
/// rows.
///
/// Change sets are equal if their records are, whatever their origin.
public struct ChangeSet: Hashable, Sendable {
    /// At most one record per section, in the fixed order.
    public let sectionChanges: [SectionChange]
    /// At most one record per object, in the fixed order.
    public let objectChanges: ObjectChanges
    /// Whether the whole list must be shown again; then there are no records.
    public let isReload: Bool
    /// The causes of the changes.
    public var origin: ChangeOrigin

    /// A change set of records that are already in the fixed order.
    public init(
        sectionChanges: [SectionChange] = [], objectChanges: ObjectChanges = [], origin: ChangeOrigin = []
    ) {
        self.init(sectionChanges, objectChanges, isReload: false, origin)
    }

    private init(
        _ sectionChanges: [SectionChange], _ objectChanges: ObjectChanges, isReload: Bool, _ origin: ChangeOrigin
    ) {
        self.sectionChanges = sectionChanges
        self.objectChanges = objectChanges
        self.isReload = isReload
        self.origin = origin
    }

    /// The whole-list reload.
    public static let reload = reload(from: [])

    /// The whole-list reload with an origin.
    public static func reload(from origin: ChangeOrigin) -> ChangeSet {
        ChangeSet([], [], isReload: true, origin)
    }

    package var recordCount: Int { sectionChanges.count + objectChanges.count }

    /// Whether there is nothing to report: neither a record nor a reload.
    public var isEmpty: Bool { !isReload && sectionChanges.isEmpty && objectChanges.isEmpty }

    /// Whether two change sets have the same records, or are both reloads.
    public static func == (a: ChangeSet, b: ChangeSet) -> Bool {
        a.isReload == b.isReload && a.sectionChanges == b.sectionChanges && a.objectChanges == b.objectChanges
    }

    /// Hashes the records.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(isReload)
        hasher.combine(sectionChanges)
        hasher.combine(objectChanges)
    }
}

extension ChangeSet: CustomStringConvertible {
    /// One line for each record, in the fixed order, for a log; "reload" for a reload.
    public var description: String {
        if isReload { return "reload" }
        return (sectionChanges.map(\.description) + objectChanges.map(\.description)).joined(separator: "\n")
    }
}

/// The kind of change to a section or an object.
///
/// A move implies an update: the shown values of the object may have changed too, as its changed
/// columns state.
public enum ChangeType: Int32, Sendable, Hashable, CaseIterable {
    /// The section or object is new in the list. It has a new place only.
    case insert = 1
    /// The section or object left the list. It has an old place only.
    case delete = 2
    /// The section or object has another place relative to the items that stayed.
    case move = 3
    /// The content changed, and the order relative to the other items did not.
    case update = 4
}

extension ChangeType {
    /// Position of this type in the fixed order of records: deletes, inserts, moves, updates.
    package var rank: Int {
        switch self {
        case .delete: 0
        case .insert: 1
        case .move: 2
        case .update: 3
        }
    }

    /// Insert has no old place.
    package var hasOld: Bool { self != .insert }

    /// Delete has no new place.
    package var hasNew: Bool { self != .delete }
}
