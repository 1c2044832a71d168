/// What happened to a section or an object.
///
/// A move implies an update: what is shown of the object may have changed too, as its changed columns tell.
public enum ChangeType: Int32, Sendable, Hashable, CaseIterable {
    case insert = 1
    case delete = 2
    case move = 3
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
