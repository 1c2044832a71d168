public import ChangeSets
public import ListEngine
public import SQLiteKit

/// One round of a store: its causes, what it did to each list, and how long it took.
public struct RoundTrace {
    /// The work of a round for one list.
    public struct ListTrace {
        /// The list.
        public let list: any LiveList
        /// Its entity; "SELECT" if its request is a whole SELECT.
        public let entity: String
        /// Why it was read as a whole; nil if the touched rows were enough.
        public let reread: RereadReason?
        /// The rows that SQLite read for it.
        public let rowsRead: Int
        /// The records of its change set; 0 if it did not change, for a reload, and if reading it
        /// failed.
        public let records: Int
        /// The time of its statements, in nanoseconds.
        public let reading: Int
        /// The rest of the time to prepare its change set, in nanoseconds.
        public let building: Int
        /// The statements that were run to read it.
        public let statements: [StatementTrace]
    }

    /// The connections that made the changes: `store`, `foreign` or both; empty if lists only
    /// caught up after a pause.
    public let origin: ChangeOrigin
    /// The times of the round.
    public let times: DeliveryTimes.Phases
    /// The lists that the round concerned, also the lists that it left as they are.
    public let lists: [ListTrace]
}

extension RoundTrace: CustomStringConvertible {
    /// All of it as text of several lines.
    public var description: String {
        func time(_ nanoseconds: Int) -> String { "\((nanoseconds + 500) / 1000) µs" }
        var lines = [
            "round\(origin.isEmpty ? "" : " (\(origin))"): capturing \(time(times.capturing)), finding \(time(times.finding)), "
                + "reading \(time(times.reading)), building \(time(times.building)), "
                + "notifying \(time(times.notifying))"
        ]
        for each in lists {
            let way = each.reread.map { "whole list (\($0))" } ?? "touched rows"
            lines.append(
                "  \(each.entity): \(way), \(counted(each.rowsRead, "row")) read, "
                    + "\(counted(each.records, "record")), reading \(time(each.reading)), building \(time(each.building))"
            )
            for statement in each.statements {
                lines.append("    \(time(statement.time)), \(counted(statement.runs, "run")): \(statement.sql)")
            }
        }
        return lines.joined(separator: "\n")
    }
}

/// Measures one round.
final class RoundMeasurement {
    var phases = DeliveryTimes.Phases()
    private(set) var lists: [RoundTrace.ListTrace] = []
    private let isTraced: Bool
    private var time = monotonicTime()

    init(isTraced: Bool) { self.isTraced = isTraced }

    /// Adds the time since the last call to a phase; nil to leave it out.
    func end(_ phase: WritableKeyPath<DeliveryTimes.Phases, Int>?) {
        let now = monotonicTime()
        if let phase { phases[keyPath: phase] += now - time }
        time = now
    }

    /// Prepares a list, and notes how.
    func prepare(_ list: any FollowingList, _ round: Round, _ activity: Activity) throws -> PreparedState? {
        let before = isTraced ? list.counters : nil
        let times = StatementTimes()
        activity.times = times
        let start = monotonicTime()
        // Thrown below, once the trace has the list. A list that can't be read has no records.
        let prepared = Result { try list.prepare(round) }
        let building = monotonicTime() - start - times.total
        activity.times = nil
        phases.reading += times.total
        phases.building += building
        if let before {
            let (request, after) = (list.request, list.counters)
            lists.append(
                RoundTrace.ListTrace(
                    list: list, entity: request.select == nil ? request.entity : "SELECT",
                    reread: after.rereads.first { before.rereads[$0.key] != $0.value }?.key,
                    rowsRead: after.rowsRead - before.rowsRead, records: (try? prepared.get())?.recordCount ?? 0,
                    reading: times.total, building: building, statements: times.statements))
        }
        return try prepared.get()
    }
}
