/// The abilities of a view, and its update after a pause.
public struct ViewOptions: Hashable, Sendable {
    /// How a view applies a batch.
    public enum Form: Hashable, Sendable {
        /// As one update, by the groups of `ViewBatch`.
        case groups
        /// One change after another, by `ViewBatch.steps`.
        case steps
    }

    /// How the view gets rows or sections whose place changed.
    public enum Moves: Hashable, Sendable {
        /// As moves.
        case moves
        /// As deletes and inserts, for views that don't support moves or can't combine them with
        /// other changes.
        case deletesAndInserts
    }

    /// What reaches the view when a pause ends.
    public enum Resume: Hashable, Sendable {
        /// The list is fetched again and the view reloaded, also if nothing changed.
        case reload
        /// All changes since the pause began are applied as one batch.
        case difference
    }

    /// How the view applies a batch.
    public var form: Form
    /// How the view gets moved rows.
    public var rowMoves: Moves
    /// How the view gets moved sections. A section that is deleted and inserted includes its rows,
    /// which have no entries.
    public var sectionMoves: Moves
    /// What reaches the view when a pause ends.
    public var resume: Resume

    /// Options; by default for a view that applies groups with moves and reloads after a pause.
    public init(form: Form = .groups, rowMoves: Moves = .moves, sectionMoves: Moves = .moves, resume: Resume = .reload)
    {
        self.form = form
        self.rowMoves = rowMoves
        self.sectionMoves = sectionMoves
        self.resume = resume
    }
}
