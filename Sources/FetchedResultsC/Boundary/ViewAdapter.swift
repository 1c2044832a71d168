internal import CFetchedResults
internal import ChangeSets
internal import FetchedResults
internal import FetchedResultsViews
internal import SQLiteKit

/// Passes a coordinator's calls of its view on to C callbacks.
@safe final class ViewAdapter: CoordinatedView {
    private let callbacks: fr_view
    private let userData: UserData
    let options: ViewOptions
    /// The handle that callbacks get for the coordinator.
    @safe var handle: OpaquePointer?
    /// The list that is shown; it has the numbers of rows of its sections.
    var list: () -> (any LiveList)? = { nil }
    /// Whether no callback may be called any more.
    private(set) var isEnded = false
    /// Counts the lists that the view has shown: a batch of one ends when it shows another.
    private var listNumber = 0

    init(_ callbacks: fr_view, flags: UInt32, _ userData: UserData) throws {
        let known = UInt32(FR_VIEW_NO_ROW_MOVES | FR_VIEW_NO_SECTION_MOVES | FR_VIEW_DIFFERENCE)
        guard flags & ~known == 0 else { throw StoreError(.range, "the flags of the view are unknown: \(flags)") }
        self.callbacks = callbacks
        self.userData = userData
        let hasStep = unsafe callbacks.step != nil
        func isWithout(_ flag: Int, _ hasMoves: Bool) -> Bool { flags & UInt32(flag) != 0 || !hasMoves && !hasStep }
        options = unsafe ViewOptions(
            form: hasStep ? .steps : .groups,
            rowMoves: isWithout(FR_VIEW_NO_ROW_MOVES, callbacks.move_rows != nil) ? .deletesAndInserts : .moves,
            sectionMoves: isWithout(FR_VIEW_NO_SECTION_MOVES, callbacks.move_sections != nil)
                ? .deletesAndInserts : .moves,
            resume: flags & UInt32(FR_VIEW_DIFFERENCE) != 0 ? .difference : .reload)
    }

    func end() { isEnded = true }

    /// Ends the batch under way, if there is one.
    func endBatch() { listNumber += 1 }

    var hasCellUpdates: Bool { unsafe callbacks.update_cell != nil }
    var hasRowReloads: Bool { unsafe callbacks.reload_rows != nil }

    // MARK: Batches

    func reload() {
        if !isEnded { unsafe callbacks.reload?(handle, userData.pointer) }
    }

    func canApply(_ batch: ViewBatch) -> Bool {
        unsafe callbacks.step != nil
            || (batch.sectionDeletes.isEmpty || callbacks.delete_sections != nil)
                && (batch.sectionInserts.isEmpty || callbacks.insert_sections != nil)
                && (batch.rowDeletes.isEmpty || callbacks.delete_rows != nil)
                && (batch.rowInserts.isEmpty || callbacks.insert_rows != nil)
                && (batch.rowReloads.isEmpty || callbacks.reload_rows != nil) && hasGroups
    }

    /// Whether the view gets groups.
    private var hasGroups: Bool {
        unsafe callbacks.delete_sections != nil || callbacks.insert_sections != nil || callbacks.move_sections != nil
            || callbacks.delete_rows != nil || callbacks.insert_rows != nil || callbacks.move_rows != nil
            || callbacks.reload_rows != nil || callbacks.update_sections != nil
    }

    func apply(_ batch: ViewBatch) {
        guard !isEnded else { return }
        let number = listNumber
        unsafe callbacks.begin?(handle, userData.pointer)
        if unsafe callbacks.step == nil { deliverGroups(batch, number) } else { deliverSteps(batch, number) }
        if continues(number) { unsafe callbacks.end?(handle, userData.pointer) }
    }

    /// Whether the rest of a batch is to be delivered: not if a callback has freed the coordinator
    /// or the list, or closed the store.
    private func continues(_ number: Int) -> Bool {
        !isEnded && number == listNumber && (try? list()?.numberOfObjects) != nil
    }

    private typealias GroupCallback<Entry> = (OpaquePointer?, UnsafePointer<Entry>?, Int, UnsafeMutableRawPointer?) ->
        Void

    private func deliverGroups(_ batch: ViewBatch, _ number: Int) {
        unsafe deliver(batch.sectionDeletes.map(Int64.init), callbacks.delete_sections, number)
        unsafe deliver(batch.sectionInserts.map(Int64.init), callbacks.insert_sections, number)
        unsafe deliver(batch.sectionMoves.map(fr_section_places.init), callbacks.move_sections, number)
        unsafe deliver(batch.rowDeletes.map { fr_index_path($0) }, callbacks.delete_rows, number)
        unsafe deliver(batch.rowInserts.map { fr_index_path($0) }, callbacks.insert_rows, number)
        unsafe deliver(batch.rowMoves.map(fr_row_places.init), callbacks.move_rows, number)
        unsafe deliver(batch.rowReloads.map(fr_row_places.init), callbacks.reload_rows, number)
        unsafe deliver(batch.sectionUpdates.map(fr_section_places.init), callbacks.update_sections, number)
    }

    private func deliver<Entry>(_ entries: [Entry], _ callback: GroupCallback<Entry>?, _ number: Int) {
        guard continues(number), !entries.isEmpty, let callback = unsafe callback else { return }
        unsafe entries.withUnsafeBufferPointer { unsafe callback(handle, $0.baseAddress, $0.count, userData.pointer) }
    }

    private func deliverSteps(_ batch: ViewBatch, _ number: Int) {
        let list = list()
        let steps = batch.steps { section in (try? list?.numberOfObjects(inSection: section)) ?? 0 }
        for step in steps where continues(number) {
            let isSection = step.change.kind == .section
            func place(_ path: ListIndexPath?) -> ListIndexPath? {
                path.map { isSection ? ListIndexPath(section: $0.section, row: -1) : $0 }
            }
            var record = fr_change(-1, step.change)
            unsafe callbacks.step?(handle, &record, fr_index_path(place(step.finalPath)), userData.pointer)
        }
    }

    // MARK: Cells, count and failures

    func updateCell(_ path: ListIndexPath, _ object: FetchedObject) {
        guard !isEnded, let callback = unsafe callbacks.update_cell, let object = try? newObjectHandle(object) else {
            return
        }
        unsafe callback(handle, fr_index_path(path), object, userData.pointer)
        HandleTable.release(object, .object)
    }

    func countChanged(_ count: Int) {
        if !isEnded { unsafe callbacks.count_changed?(handle, Int64(count), userData.pointer) }
    }

    func failed(_ error: StoreError) {
        guard !isEnded, let callback = unsafe callbacks.did_fail else { return }
        unsafe Failure(error).lend { unsafe callback(handle, $0, userData.pointer) }
    }
}

extension fr_row_places {
    fileprivate init(_ places: RowPlaces) {
        self.init(old_path: fr_index_path(places.old), new_path: fr_index_path(places.new))
    }
}

extension fr_section_places {
    fileprivate init(_ places: SectionPlaces) { self.init(old_index: Int64(places.old), new_index: Int64(places.new)) }
}

/// The callbacks of a view, copied; none for NULL if that is allowed.
func view(_ pointer: UnsafePointer<fr_view>?, isOptional: Bool = false) throws -> fr_view {
    if unsafe pointer == nil, isOptional { return fr_view() }
    return unsafe try copied(try required(pointer, "view"), "view")
}
