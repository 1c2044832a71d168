extension Snapshot {
    /// The position of an earlier state; nil if it is not on the way to the present one. A frame's header says so
    /// (https://www.sqlite.org/fileformat.html#wal_file_format): after a loss of power a log can go on from an earlier
    /// frame.
    func position(of mark: LogMark, before later: LogPosition) throws(Uncertainty) -> LogPosition? {
        guard mark.mayLead(to: later) else { return nil }
        let position = LogPosition(mark, before: later)
        guard mark.lastFrame > 0 else { return position }
        guard let size = later.pageSize, position.pageSize == size else { return nil }
        let header = Page(number: mark.lastFrame, bytes: try frameHeader(mark.lastFrame, pageSize: size))
        let first = UInt64(try header.word(16))
        let second = UInt64(try header.word(20))
        let isSame = try header.word(4) == mark.pageCount && (first | second << 32) == mark.frameChecksum
        return isSame ? position : nil
    }
}
