internal import ChangeSets
public import SQLiteKit

/// All objects of a list, one section after another, as a collection. It shows the present state of
/// the list, so indices are valid until the list changes next; `Array(list.objects)` stays as it
/// is.
///
/// An object is read when it is accessed, together with its neighbours (`FetchRequest.batchSize`).
/// Reading can fail, so an element is a `Result`: `try list.objects[3].get()`. It is a failure of
/// the status `gone` if the row was changed by a change that is not delivered yet, and `range`
/// beyond the end. A list that was not fetched, or whose store is closed, has no objects here. The
/// count takes O(1), an object O(log n).
public struct ListObjects: RandomAccessCollection {
    /// An object, or the error of reading it.
    public typealias Element = Result<FetchedObject, StoreError>

    let list: any LiveList

    /// The index of the first object: 0.
    public var startIndex: Int { 0 }
    /// The number of objects; 0 if the list can't be read. O(1).
    public var endIndex: Int { (try? list.numberOfObjects) ?? 0 }

    /// The object with a number over all sections. An index beyond the end is a failure in the
    /// result, no trap. O(log n).
    public subscript(position: Int) -> Element {
        reading { try list.object(at: try list.indexPath(at: position)) }
    }
}

/// The objects of one section, as `ListObjects` are those of all.
public struct SectionObjects: RandomAccessCollection {
    /// An object, or the error of reading it.
    public typealias Element = Result<FetchedObject, StoreError>

    let list: any LiveList
    /// The number of the section.
    public let section: Int

    /// The index of the first object: 0.
    public var startIndex: Int { 0 }
    /// The number of objects in the section; 0 if the section does not exist or can't be read.
    /// O(log n).
    public var endIndex: Int { (try? list.numberOfObjects(inSection: section)) ?? 0 }

    /// The object in a row of the section. An index beyond the end is a failure in the result, no
    /// trap. O(log n).
    public subscript(position: Int) -> Element {
        reading {
            guard let path = ListIndexPath(checkedSection: section, row: position) else {
                throw StoreError.outOfRange("object \(position)", count: count)
            }
            return try list.object(at: path)
        }
    }
}

/// The section at one place of a list. It shows whichever section is there when it is read.
public struct ShownSection {
    let list: any LiveList
    /// The number of the section.
    public let index: Int

    /// Its description. O(log n).
    public var info: SectionInfo { get throws { try list.section(at: index) } }
    /// The row that it represents; nil if the list's sections are not rows.
    public var object: FetchedObject? { get throws { try list.sectionObject(at: index) } }
    /// Its objects.
    public var objects: SectionObjects { SectionObjects(list: list, section: index) }
}

/// The sections of a list as a collection. It shows the present state of the list, as `ListObjects`
/// does.
public struct ShownSections: RandomAccessCollection {
    let list: any LiveList

    /// The index of the first section: 0.
    public var startIndex: Int { 0 }
    /// The number of sections; 0 if the list can't be read. O(1).
    public var endIndex: Int { (try? list.numberOfSections) ?? 0 }
    /// The section with a number. Nothing is read here: for an index beyond the end `info` throws
    /// `range`. O(1).
    public subscript(position: Int) -> ShownSection { ShownSection(list: list, index: position) }
}

extension LiveList {
    /// All objects, one section after another.
    public var objects: ListObjects { ListObjects(list: self) }

    /// The sections that the list shows.
    public var shownSections: ShownSections { ShownSections(list: self) }
}

private func reading(_ body: () throws -> FetchedObject) -> Result<FetchedObject, StoreError> {
    do { return .success(try body()) } catch { return .failure(StoreError(any: error)) }
}

extension ListIndexPath {
    /// nil for numbers that no list has.
    fileprivate init?(checkedSection section: Int, row: Int) {
        let limit = Int(Int32.max)
        guard (0..<limit).contains(section), (0..<limit).contains(row) else { return nil }
        self.init(section: section, row: row)
    }
}
