internal import CFetchedResults
internal import FetchedResults

/// A round's trace as C programs borrow it.
@safe struct LentTrace {
    private let round: RoundTrace
    private let strings: LentStrings
    private let lists: LentArray<fr_list_trace>

    init(_ round: RoundTrace) {
        self.round = round
        var arrays: [LentArray<fr_statement_trace>] = unsafe []
        var strings = LentStrings()
        let traces = unsafe round.lists.map { list in
            let array = unsafe LentArray(
                list.statements.map { statement in
                    unsafe fr_statement_trace(
                        sql: strings.lend(statement.sql).pointer, runs: Int64(statement.runs),
                        rows: Int64(statement.rows), time: Int64(statement.time))
                })
            unsafe arrays.append(array)
            return unsafe fr_list_trace(
                list: (list.list as? any NotifyingList)?.announcer.handle,
                entity: strings.lend(list.entity).pointer,
                reread: list.reread.map { Int32($0.rawValue) } ?? -1, reserved: 0, rows_read: Int64(list.rowsRead),
                records: Int64(list.records), reading: Int64(list.reading), building: Int64(list.building),
                statement_count: array.values.count, statements: array.values.baseAddress)
        }
        self.strings = strings
        unsafe lists = LentArray(traces, owner: arrays)
    }

    /// Calls `body` with the trace, which lives until it returns.
    func lend(_ body: (UnsafePointer<fr_round_trace>) -> Void) {
        let text = CString("\(round)")
        var trace = unsafe fr_round_trace(
            text: text.pointer, origin: round.origin.rawValue, reserved: 0, phases: fr_phases(round.times),
            list_count: lists.values.count, lists: lists.values.baseAddress)
        unsafe body(&trace)
        withExtendedLifetime((self, text)) {}
    }
}

extension fr_phases {
    init(_ phases: DeliveryTimes.Phases) {
        self.init(
            capturing: Int64(phases.capturing), finding: Int64(phases.finding), reading: Int64(phases.reading),
            building: Int64(phases.building), notifying: Int64(phases.notifying))
    }
}
