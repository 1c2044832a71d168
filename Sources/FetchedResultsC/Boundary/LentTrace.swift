internal import CFetchedResults
internal import FetchedResults

/// Calls `body` with a round's trace as C programs borrow it, until it returns.
@safe func lend(_ round: RoundTrace, _ body: (UnsafePointer<fr_round_trace>) -> Void) {
    var strings = LentStrings()
    let statements = unsafe round.lists.map { list in
        unsafe LentArray(
            list.statements.map { statement in
                unsafe fr_statement_trace(
                    sql: strings.lend(statement.sql).pointer, runs: Int64(statement.runs),
                    rows: Int64(statement.rows), time: Int64(statement.time))
            })
    }
    let lists = unsafe LentArray(
        zip(round.lists, statements).map { list, statements in
            unsafe fr_list_trace(
                list: (list.list as? any NotifyingList)?.announcer.handle,
                entity: strings.lend(list.entity).pointer,
                reread: list.reread.map { Int32($0.rawValue) } ?? -1, reserved: 0, rows_read: Int64(list.rowsRead),
                records: Int64(list.records), reading: Int64(list.reading), building: Int64(list.building),
                statement_count: statements.values.count, statements: statements.values.baseAddress)
        }, owner: statements)
    let text = CString("\(round)")
    var trace = unsafe fr_round_trace(
        text: text.pointer, origin: round.origin.rawValue, reserved: 0, phases: fr_phases(round.times),
        list_count: lists.values.count, lists: lists.values.baseAddress)
    unsafe withExtendedLifetime((lists, strings, text)) { unsafe body(&trace) }
}

extension fr_phases {
    init(_ phases: DeliveryTimes.Phases) {
        self.init(
            capturing: Int64(phases.capturing), finding: Int64(phases.finding), reading: Int64(phases.reading),
            building: Int64(phases.building), notifying: Int64(phases.notifying))
    }
}
