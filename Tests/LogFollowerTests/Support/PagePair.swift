@testable import LogFollower
@testable import SQLiteKit

/// Two states of a small database as bytes, which a test or a fuzzer may change in any way. A step
/// from one state to the other then has to end in rows or in an uncertainty, and to cost no more
/// than the pages allow.
///
/// The bytes: the numbers of pages, of frames and of roots, one byte each; the page counts that the
/// two states claim, the roots, and the pages of the frames, four bytes each; the pages; the pages
/// in the frames.
struct PagePair {
    static let pageSize = 512
    static let mostPages = 48
    static let mostFrames = 48
    static let mostRoots = 8
    /// How many pages more than there are a state may claim. `FollowedMap` permits more than that.
    static let mostUnwritten = 64

    private var pages: [[UInt8]] = []
    private var framePages: [UInt32] = []
    private var frames: [[UInt8]] = []
    private var roots: [UInt32] = []
    private var pageCounts: (old: UInt32, new: UInt32) = (0, 0)

    init(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes: bytes[...])
        let pageCount = 1 + reader.byte() % Self.mostPages
        let frameCount = reader.byte() % (Self.mostFrames + 1)
        let rootCount = reader.byte() % (Self.mostRoots + 1)
        let most = UInt32(pageCount + frameCount + Self.mostUnwritten)
        pageCounts = (min(reader.word(), most), min(reader.word(), most))
        roots = (0..<rootCount).map { _ in reader.word() }
        framePages = (0..<frameCount).map { _ in reader.word() }
        pages = (0..<pageCount).map { _ in reader.bytes(Self.pageSize) }
        frames = (0..<frameCount).map { _ in reader.bytes(Self.pageSize) }
    }

    /// - Parameter pages: Those of the old state.
    init(_ pages: [[UInt8]], roots: [UInt32], written: [(page: UInt32, bytes: [UInt8])], pageCount: Int? = nil) {
        self.pages = pages
        self.roots = roots
        framePages = written.map(\.page)
        frames = written.map(\.bytes)
        let count = UInt32(pages.count)
        pageCounts = (count, max(UInt32(pageCount ?? pages.count), framePages.filter { $0 < 1000 }.max() ?? 0))
    }

    var bytes: [UInt8] {
        func word(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        return [UInt8(pages.count - 1), UInt8(frames.count), UInt8(roots.count)]
            + word(pageCounts.old) + word(pageCounts.new) + roots.flatMap(word) + framePages.flatMap(word)
            + pages.joined() + frames.joined()
    }

    /// The result of a step.
    struct Result {
        /// nil if the rows are known.
        var uncertainty: Uncertainty?
        var rows: [TableChange] = []
        /// How many pages were read.
        var reads = 0

        /// The bytes of all records.
        var byteCount: Int {
            rows.reduce(0) { sum, table in
                sum + table.rowids.reduce(0) { $0 + ($1.oldRecord?.count ?? 0) }
                    + (table.oldRecords + table.newRecords).reduce(0) { $0 + $1.count }
            }
        }
    }

    /// Follows all tables from the old state to the new one, and then a commit that writes the same
    /// again.
    func follow() -> Result {
        let files = Files(pages: pages, frames: frames)
        var result = Result()
        let names = roots.indices.map { ExactText("table \($0)") }
        let trees = [(ExactText("sqlite_schema"), UInt32(1))] + zip(names, roots).map { ($0, $1) }
        var written: [UInt32: UInt32] = [:]
        for (index, page) in framePages.enumerated() where page > 0 { written[page] = UInt32(index + 1) }
        do throws(Uncertainty) {
            let old = OldPages(files, frames: FrameMap(), pageSize: Self.pageSize, pageCount: pageCounts.old)
            var map = try DatabaseMap(trees.map { (table: $0.0, root: $0.1) }, in: old)
            result.rows = try map.advance(to: newPages(files, old, written), Set(names))
            let log = FrameMap()
            log.add(written, last: UInt32(frames.count))
            let next = OldPages(files, frames: log, pageSize: Self.pageSize, pageCount: pageCounts.new)
            result.rows += try map.advance(to: newPages(files, next, written), Set(names))
        } catch {
            result.uncertainty = error
        }
        result.reads = files.reads
        return result
    }

    private func newPages(_ files: Files, _ old: OldPages, _ written: [UInt32: UInt32]) -> NewPages {
        NewPages(files, over: old, frames: written, pageSize: Self.pageSize, pageCount: pageCounts.new)
    }

    /// The most pages that following may read: each page of both states a few times for its own
    /// cells, in two steps, and each as often as overflow pages may be read.
    var mostReads: Int { 64 * (pages.count + frames.count + Self.mostUnwritten) }

    /// The most bytes that the records may have.
    var mostBytes: Int { mostReads * Self.pageSize }

    private final class Files: PageFiles {
        let pages: [[UInt8]]
        let frames: [[UInt8]]
        private(set) var reads = 0

        init(pages: [[UInt8]], frames: [[UInt8]]) {
            self.pages = pages
            self.frames = frames
        }

        func page(_ number: UInt32, size: Int) throws(Uncertainty) -> [UInt8] { try read(pages, number) }
        func page(inFrame frame: UInt32, size: Int) throws(Uncertainty) -> [UInt8] { try read(frames, frame) }

        private func read(_ pages: [[UInt8]], _ number: UInt32) throws(Uncertainty) -> [UInt8] {
            reads += 1
            guard number > 0, number <= pages.count, pages[Int(number) - 1].count == PagePair.pageSize else {
                throw .pages
            }
            return pages[Int(number) - 1]
        }
    }
}

/// Reads bytes from their beginning; zeros behind their end.
private struct ByteReader {
    var bytes: ArraySlice<UInt8>

    mutating func byte() -> Int { Int(bytes.popFirst() ?? 0) }

    mutating func word() -> UInt32 { (0..<4).reduce(0) { word, _ in word << 8 | UInt32(byte()) } }

    /// Fewer if there are not as many.
    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }
}

/// Follows the states that bytes describe, and reads all records as rows. Ends the process if that
/// costs more than the pages allow. The target of the fuzzer.
func followFuzzedPages(_ bytes: [UInt8]) {
    let pair = PagePair(bytes)
    let result = pair.follow()
    precondition(result.reads <= pair.mostReads, "\(result.reads) pages were read, and \(pair.mostReads) may be")
    precondition(result.byteCount <= pair.mostBytes, "records of \(result.byteCount) bytes")
    let layout = RecordLayout(
        columns: (0..<4).map { ($0, $0 == 0, $0 == 2) })
    for change in result.rows {
        let records = change.rowids.compactMap(\.oldRecord) + change.oldRecords + change.newRecords
        for record in records {
            for encoding in [TextEncoding.utf8, .utf16(isBigEndian: false), .utf16(isBigEndian: true)] {
                guard let row = RowValues(record: record, rowid: 7, layout: layout, encoding: encoding) else {
                    continue
                }
                precondition(row.byteCount <= 1000 + 3 * record.count, "a row of \(row.byteCount) bytes")
            }
        }
    }
}
