/// The frame of the log that contains each page of a state. The database file contains the pages
/// that are not in the map.
///
/// A class, because it is large, and changes only when the old state is no longer read.
final class FrameMap {
    /// The run of the log that the frames are in.
    let run: UInt64
    /// The last frame that was added.
    private(set) var last: UInt32
    private var pages: [UInt32: UInt32] = [:]

    init(run: UInt64 = 0, last: UInt32 = 0) {
        self.run = run
        self.last = last
    }

    func frame(of page: UInt32) -> UInt32? { pages[page] }

    func add(_ frames: [UInt32: UInt32], last: UInt32) {
        pages.merge(frames) { $1 }
        self.last = last
    }
}

/// The files that pages are read from. Reading beyond their ends throws.
protocol PageFiles: AnyObject {
    /// A page of the database file.
    func page(_ number: UInt32, size: Int) throws(Uncertainty) -> [UInt8]
    /// The page in a frame of the log.
    func page(inFrame frame: UInt32, size: Int) throws(Uncertainty) -> [UInt8]
}

/// How many overflow pages a step may still read. Each overflow page belongs to one record, and a
/// step reads a record a few times at most. So damaged pages are those that make it read more, such
/// as a chain of pages that has no end, or many records that continue in the same chain.
struct OverflowBudget {
    private var left: Int
    private static let readings = 8

    init(pageCount: UInt32) { left = Self.readings * Int(pageCount) }

    mutating func take(_ count: Int) throws(Uncertainty) {
        guard count <= left else { throw .pages }
        left -= count
    }
}

/// The pages of one state.
protocol PageState: AnyObject {
    var pageCount: UInt32 { get }
    var overflowBudget: OverflowBudget { get set }
    /// A page, which is read once.
    func page(_ number: UInt32) throws(Uncertainty) -> Page
    /// A page that is needed only once.
    func transient(_ number: UInt32) throws(Uncertainty) -> Page
}

/// The pages of the state that was followed last: from the frames of the log that belong to it, or
/// else from the database file, where the snapshot keeps them unchanged.
final class OldPages: PageState {
    let pageCount: UInt32
    var overflowBudget: OverflowBudget
    private let files: any PageFiles
    private let frames: FrameMap
    private let pageSize: Int
    private var pages: [UInt32: Page] = [:]

    init(_ files: any PageFiles, frames: FrameMap, pageSize: Int, pageCount: UInt32) {
        self.files = files
        self.frames = frames
        self.pageSize = pageSize
        self.pageCount = pageCount
        overflowBudget = OverflowBudget(pageCount: pageCount)
    }

    func page(_ number: UInt32) throws(Uncertainty) -> Page {
        if let page = pages[number] { return page }
        let page = Page(number: number, bytes: try read(number))
        pages[number] = page
        return page
    }

    func transient(_ number: UInt32) throws(Uncertainty) -> Page {
        if let page = pages[number] { return page }
        return Page(number: number, bytes: try read(number))
    }

    /// The bytes of a page, which are not cached.
    func read(_ number: UInt32) throws(Uncertainty) -> [UInt8] {
        if let frame = frames.frame(of: number) { return try files.page(inFrame: frame, size: pageSize) }
        return try files.page(number, size: pageSize)
    }
}

/// The pages of the next state: from new frames, or else the old ones.
final class NewPages: PageState {
    let pageCount: UInt32
    let old: OldPages
    /// The last frame of each page that was written, by page.
    let frames: [UInt32: UInt32]
    /// The pages that were written.
    let written: [UInt32]
    var overflowBudget: OverflowBudget
    private let files: any PageFiles
    private let pageSize: Int
    private var pages: [UInt32: Page] = [:]

    init(_ files: any PageFiles, over old: OldPages, frames: [UInt32: UInt32], pageSize: Int, pageCount: UInt32) {
        self.files = files
        self.old = old
        self.frames = frames
        written = frames.keys.sorted()
        self.pageSize = pageSize
        self.pageCount = pageCount
        overflowBudget = OverflowBudget(pageCount: pageCount)
    }

    func isWritten(_ number: UInt32) -> Bool { frames[number] != nil }

    func page(_ number: UInt32) throws(Uncertainty) -> Page {
        guard let frame = frames[number] else { return try old.page(number) }
        if let page = pages[number] { return page }
        let page = Page(number: number, bytes: try files.page(inFrame: frame, size: pageSize))
        pages[number] = page
        return page
    }

    func transient(_ number: UInt32) throws(Uncertainty) -> Page {
        guard let frame = frames[number] else { return try old.transient(number) }
        if let page = pages[number] { return page }
        return Page(number: number, bytes: try files.page(inFrame: frame, size: pageSize))
    }
}

extension LogFile: PageFiles {
    /// The position of an earlier state; nil if it does not precede the present one. A frame's
    /// header shows that (https://www.sqlite.org/fileformat.html#wal_file_format): after a loss of
    /// power a log can continue from an earlier frame.
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
