/// How SQLite reads a list, which commits cost more than the rows that they touch, and what would
/// help.
public struct ListExplanation: Sendable {
    /// The statement that reads the list in its order.
    public let sql: String
    /// SQLite's plan for it (https://www.sqlite.org/eqp.html), a line for each step, with two
    /// blanks before it for each step that it is part of.
    public let plan: [String]
    /// Whether rows are sorted whenever the list is read as a whole, as no index has the order.
    public let isSorted: Bool
    /// Whether the list follows commits by the rows that they touch, with the exceptions in
    /// `wholeReads`. If not, all that change it are among these.
    public let isIncremental: Bool
    /// When the list is read as a whole, by the reason under which `Counters.rereads` counts it.
    public let wholeReads: [RereadReason: String]
    /// Advice that would help: statements of SQL, and sentences where none does.
    public let advice: [String]
    /// In a section map of rows: the same for its sections.
    public let sections: [ListExplanation]
}

extension ListExplanation: CustomStringConvertible {
    /// All of it as text of several lines.
    public var description: String {
        var lines = [sql] + plan.map { "  \($0)" }
        lines.append("order: " + (isSorted ? "sorted whenever the whole list is read" : "as the plan yields it"))
        lines.append("commits: " + (isIncremental ? "cost the rows that they touch" : "cost the whole list"))
        for (reason, occasion) in wholeReads.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            lines.append("whole list (\(reason)): \(occasion)")
        }
        lines += advice.map { "advice: \($0)" }
        for each in sections { lines += ["sections:"] + each.description.split(separator: "\n").map { "  \($0)" } }
        return lines.joined(separator: "\n")
    }
}
