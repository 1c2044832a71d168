internal import ListEngine
public import SQLiteKit

/// What a list was made of, and how it is.
extension FetchedResultsController {
    /// The key path by whose values the objects are put into sections; nil for a flat list. That of a section map leads
    /// from an item to the key of its section.
    public var sectionKeyPath: String? { engine.compiled.request.section?.keyPath }

    /// Why the list shows an earlier state than it should: what reading it after a commit, or after a pause, failed
    /// with, of which its observers were notified. nil if it is in order, or while it is held back: paused, disabled,
    /// or resumed and not delivered yet.
    public var deliveryFailure: StoreError? { if case .behind(let error) = state { error } else { nil } }
}
