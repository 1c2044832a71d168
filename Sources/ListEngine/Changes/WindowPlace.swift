/// The place of a window in its list, when it showed what a change set leads to.
public struct WindowPlace: Sendable, Hashable {
    /// The number, in the list, of the window's first row.
    public let position: Int
    /// The number, in the window, of the row on which it hangs; nil if the list has no rows.
    public let anchor: Int?
    /// Whether the window hangs on another row than before, as that one has left the list.
    public let isAnchorReplaced: Bool
}
