public import SQLiteKit

/// A total that a delivery changed.
public struct TotalChange: Equatable, Sendable {
    /// The name of the total.
    public let name: String
    /// The index of its section before the delivery; nil for a total of the whole list.
    public let oldSection: Int?
    /// The index of its section after the delivery; nil for a total of the whole list.
    public let newSection: Int?
    /// The value before the delivery.
    public let oldValue: Value
    /// The value after the delivery.
    public let newValue: Value

    /// The same of a section.
    package func inSection(old: Int, new: Int) -> TotalChange {
        TotalChange(name: name, oldSection: old, newSection: new, oldValue: oldValue, newValue: newValue)
    }
}
