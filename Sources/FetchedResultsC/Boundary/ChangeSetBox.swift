internal import CFetchedResults
internal import ChangeSets
internal import FetchedResults
internal import SQLiteKit

/// A change set in the form of the C interface: records of fixed layout, each with its subject. It
/// is safe except for the addresses that it returns: it owns the records.
@safe final class ChangeSetBox {
    enum Subject: Equatable {
        case section(SectionChange)
        case object(ObjectChange)
    }

    let changes: ListChanges
    /// The records in the sequential form; nil for a batch.
    let steps: SequentialSteps?
    /// All records, once the program has asked for them together.
    private var made: UnsafeMutableBufferPointer<fr_change>?
    /// Its handle while callbacks get it.
    @safe var handle: OpaquePointer?
    /// The number of the record that is likely to be reported next.
    private var next = 0
    /// The strings and values that were lent; of most change sets none is.
    private(set) lazy var lent = LentByChanges()

    @safe final class LentByChanges {
        fileprivate var names: [Int: CString] = [:]
        fileprivate var oldNames: [Int: CString] = [:]
        /// By record and column.
        fileprivate var columnNames: [Int: [Int: CString]] = [:]
        fileprivate var oldTotals: [Int: [Int: RowValues]] = [:]
        @safe var identities: [Int: LentArray<fr_value>] = unsafe [:]
        var ranges: LentArray<fr_range>?
        @safe var totals: LentArray<fr_total_change>?
        var replayed: LentArray<fr_replayed_section>?
    }

    init(_ changes: ListChanges) {
        self.changes = changes
        steps = nil
    }

    /// The same changes as steps that are applied one after another.
    init(sequential box: ChangeSetBox) {
        changes = box.changes
        steps = box.changes.changeSet.sequential()
    }

    deinit { unsafe made?.deallocate() }

    var recordCount: Int { steps?.count ?? changes.changeSet.recordCount }

    /// All records.
    func records() -> UnsafeMutableBufferPointer<fr_change> {
        if let made = unsafe made { return unsafe made }
        let records = unsafe UnsafeMutableBufferPointer<fr_change>.memory(for: recordCount)
        unsafe read(into: records, from: 0)
        unsafe made = unsafe records
        return unsafe records
    }

    /// Fills an array with the records from a number on. The caller checks that there are so many.
    /// Changes nothing here, so any thread may call it.
    func read(into records: UnsafeMutableBufferPointer<fr_change>, from first: Int) {
        let set = changes.changeSet
        let numbers = first..<first + records.count
        if let steps {
            for (index, step) in zip(numbers, steps[numbers]) {
                unsafe records.initializeElement(at: index - first, to: fr_change(index, step))
            }
            return
        }
        let sectionCount = set.sectionChanges.count
        for index in numbers.clamped(to: 0..<sectionCount) {
            unsafe records.initializeElement(at: index - first, to: fr_change(index, set.sectionChanges[index]))
        }
        let objects = numbers.clamped(to: sectionCount..<max(sectionCount, numbers.upperBound))
        var changes = set.objectChanges.makeIterator(from: objects.lowerBound - sectionCount)
        for index in objects {
            guard let change = changes.next() else { return }
            unsafe records.initializeElement(at: index - first, to: fr_change(index, change))
        }
    }

    func subject(_ index: Int) throws -> Subject {
        guard (0..<recordCount).contains(index) else {
            throw StoreError.outOfRange("record \(index)", count: recordCount)
        }
        return knownSubject(index)
    }

    private func knownSubject(_ index: Int) -> Subject {
        let set = changes.changeSet
        if let step = steps?[index] {
            return step.kind == .section
                ? .section(set.sectionChanges[step.record]) : .object(set.objectChanges[step.record])
        }
        let sectionCount = set.sectionChanges.count
        return index < sectionCount
            ? .section(set.sectionChanges[index]) : .object(set.objectChanges[index - sectionCount])
    }

    func objectChange(_ index: Int) throws -> ObjectChange {
        guard case .object(let change) = try subject(index) else {
            throw StoreError(.notFound, "record \(index) is about a section")
        }
        return change
    }

    func sectionChange(_ index: Int) throws -> SectionChange {
        guard case .section(let change) = try subject(index) else {
            throw StoreError(.notFound, "record \(index) is about an object")
        }
        return change
    }

    /// The record about a subject. Records are reported in their order.
    func record(of subject: Subject) -> UnsafePointer<fr_change>? {
        guard let index = (next..<recordCount).first(where: { knownSubject($0) == subject }) else { return nil }
        next = index + 1
        return unsafe UnsafePointer(records().baseAddress).map { unsafe $0 + index }
    }

    /// Where the changes store the old value of a shown column of a record's object or section; nil
    /// if they do not have it.
    func oldValue(_ index: Int, column: Int64) throws -> (content: RowValues, column: Int)? {
        switch try subject(index) {
        case .section(let change):
            let (column, ownCount) = try checkedColumn(column, of: change)
            if column < ownCount { return changes.source.oldValue(of: change, column: column) }
            guard let total = changes.source.total(column - ownCount, of: change) else { return nil }
            let value = lent.oldTotals[index]?[column] ?? RowValues([total.oldValue])
            lent.oldTotals[index, default: [:]][column] = value
            return (value, 0)
        case .object(let change):
            let column = try checked(column, below: changes.source.columns(of: change).count, "column")
            return changes.source.oldValue(of: change, column: column)
        }
    }

    /// A column of a section, and the number of the columns of its own, behind which its totals
    /// are.
    private func checkedColumn(_ column: Int64, of change: SectionChange) throws -> (column: Int, ownCount: Int) {
        let ownCount = changes.source.sectionColumns(of: change).count
        let count = ownCount + changes.source.totalNames(of: change).count
        return (try checked(column, below: count, "column"), ownCount)
    }

    /// Whether a shown column of a record's object or section changed.
    func columnChanged(_ index: Int, column: Int64) throws -> Bool {
        switch try subject(index) {
        case .section(let change): change.changedColumns.contains(try checkedColumn(column, of: change).column)
        case .object(let change):
            change.changedColumns.contains(
                try checked(column, below: changes.source.columns(of: change).count, "column"))
        }
    }

    /// The name of a shown column of a record's object or section.
    func columnName(_ index: Int, column: Int64) throws -> UnsafePointer<CChar> {
        let names =
            switch try subject(index) {
            case .section(let change): changes.source.sectionColumns(of: change) + changes.source.totalNames(of: change)
            case .object(let change): changes.source.columns(of: change)
            }
        let column = try checked(column, below: names.count, "column")
        let name = lent.columnNames[index]?[column] ?? CString(names[column])
        lent.columnNames[index, default: [:]][column] = name
        return unsafe name.pointer
    }

    /// The totals that differ.
    func totals() -> UnsafeMutableBufferPointer<fr_total_change> {
        if let known = lent.totals { return unsafe known.values }
        let changes = changes.totals
        let names = changes.map { CString($0.name) }
        let values = RowValues(changes.flatMap { [$0.oldValue, $0.newValue] })
        let totals = unsafe changes.enumerated().map { index, change in
            unsafe fr_total_change(
                name: names[index].pointer, old_section: Int64(change.oldSection ?? -1),
                new_section: Int64(change.newSection ?? -1), old_value: borrowedValue(values, 2 * index),
                new_value: borrowedValue(values, 2 * index + 1))
        }
        let array = unsafe LentArray(totals, owner: (names, values))
        unsafe lent.totals = array
        return unsafe array.values
    }

    /// The name that the section of a record had before; nil for NULL.
    func oldSectionName(_ index: Int) throws -> UnsafePointer<CChar>? {
        let change = try sectionChange(index)
        guard change.type != .insert else { throw StoreError(.notFound, "record \(index) is an insert") }
        if let name = lent.oldNames[index] { return unsafe name.pointer }
        guard let name = changes.oldSectionName(of: change) else { return nil }
        let string = CString(name)
        lent.oldNames[index] = string
        return unsafe string.pointer
    }

    /// The name of the section of a record; nil for NULL.
    func sectionName(_ index: Int) throws -> UnsafePointer<CChar>? {
        let change = try sectionChange(index)
        if let name = lent.names[index] { return unsafe name.pointer }
        guard let name = changes.sectionName(of: change) else { return nil }
        let string = CString(name)
        lent.names[index] = string
        return unsafe string.pointer
    }
}

extension fr_change {
    init(_ index: Int, _ change: ObjectChange) {
        self.init(index, FR_OBJECT, change.type, change.oldPath, change.newPath, change.changedColumns)
    }

    init(_ index: Int, _ change: SectionChange) {
        self.init(
            index, FR_SECTION, change.type, Self.place(change.oldIndex), Self.place(change.newIndex),
            change.changedColumns)
    }

    init(_ index: Int, _ step: SequentialStep) {
        if step.kind == .object {
            self.init(index, FR_OBJECT, step.type, step.source, step.target, step.changedColumns)
        } else {
            self.init(
                index, FR_SECTION, step.type, Self.place(step.source?.section), Self.place(step.target?.section),
                step.changedColumns)
        }
    }

    private static func place(_ section: Int?) -> ListIndexPath? { section.map { ListIndexPath(section: $0, row: -1) } }

    private init(
        _ index: Int, _ kind: Int, _ type: ChangeType, _ old: ListIndexPath?, _ new: ListIndexPath?,
        _ columns: ColumnSet
    ) {
        self.init(
            kind: Int32(kind), type: type.rawValue, flags: columns.isUnknown ? UInt32(FR_COLUMNS_UNKNOWN) : 0,
            index: Int32(clamping: index), old_path: fr_index_path(old), new_path: fr_index_path(new),
            changed_columns: columns.lowMask)
    }
}

extension fr_index_path {
    init(_ path: ListIndexPath?) {
        self.init(section: Int64(path?.section ?? -1), row: Int64(path?.row ?? -1))
    }
}
