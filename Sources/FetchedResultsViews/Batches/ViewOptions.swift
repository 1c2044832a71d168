/// What a view can do, and what it wants done after a pause.
public struct ViewOptions: Hashable, Sendable {
    /// How a view takes a batch in.
    public enum Form: Hashable, Sendable {
        /// At once, by the groups of `ViewBatch`.
        case groups
        /// One change after another, by `ViewBatch.steps`.
        case steps
    }

    /// How rows or sections that got another place reach the view.
    public enum Moves: Hashable, Sendable {
        /// As moves.
        case moves
        /// For views that know no moves, or can't combine them with other changes.
        case deletesAndInserts
    }

    /// What reaches the view when a pause ends.
    public enum Resume: Hashable, Sendable {
        /// The list is fetched again and the view reloaded, also if nothing changed.
        case reload
        /// All that changed meanwhile comes as one batch.
        case difference
    }

    /// How the view applies a batch.
    public var form: Form
    /// How moved rows reach the view.
    public var rowMoves: Moves
    /// A section that is deleted and inserted takes its rows along: none of them is told of.
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
