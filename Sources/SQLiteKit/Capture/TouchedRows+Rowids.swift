extension TouchedRows {
    /// The rows of a table with rowids.
    package struct Rowids {
        package private(set) var all: [Int64] = []
        package internal(set) var images: [RowValues?] = []
        /// Whether the rowids ascend, as the rowids of inserted rows mostly do: they are found by a
        /// binary search.
        private var isAscending = true
        /// By rowid; empty as long as the rows ascend, or are few.
        private var indexes: [Int64: Int] = [:]

        func index(of rowid: Int64) -> Int? {
            guard let last = all.last else { return nil }
            if isAscending { return rowid > last ? nil : ascendingIndex(of: rowid) }
            return all.count <= TouchedRows.unindexedLimit ? all.firstIndex(of: rowid) : indexes[rowid]
        }

        private func ascendingIndex(of rowid: Int64) -> Int? {
            var low = 0
            var high = all.count
            while low < high {
                let middle = (low + high) / 2
                if all[middle] < rowid { low = middle + 1 } else { high = middle }
            }
            return low < all.count && all[low] == rowid ? low : nil
        }

        package func image(of rowid: Int64) -> RowValues?? { index(of: rowid).map { images[$0] } }

        /// Adds a row unless it is contained already. False if it is added without an image.
        @discardableResult
        mutating func touch(_ rowid: Int64, image: @autoclosure () -> RowValues?) -> Bool {
            guard index(of: rowid) == nil else { return true }
            let image = image()
            append(rowid, image)
            return image != nil
        }

        /// Adds a row, or replaces its image.
        mutating func note(_ rowid: Int64, image: RowValues?) {
            guard !isAscending, all.count > TouchedRows.unindexedLimit else {
                if let index = index(of: rowid) { images[index] = image } else { append(rowid, image) }
                return
            }
            let next = all.count
            let index = indexes.index(of: rowid, orNew: next)
            if index < next { return images[index] = image }
            all.append(rowid)
            images.append(image)
        }

        /// Appends a row that is not contained.
        private mutating func append(_ rowid: Int64, _ image: RowValues?) {
            if let last = all.last, rowid < last { isAscending = false }
            all.append(rowid)
            images.append(image)
            guard !isAscending, all.count > TouchedRows.unindexedLimit else { return }
            if indexes.isEmpty {
                indexes.reserveCapacity(all.capacity)
                for (index, rowid) in all.enumerated() { indexes[rowid] = index }
            } else {
                indexes[rowid] = all.count - 1
            }
        }

        mutating func reserve(_ count: Int) {
            all.reserveCapacity(count)
            images.reserveCapacity(count)
        }

        mutating func removeLast() {
            let rowid = all.removeLast()
            images.removeLast()
            if !indexes.isEmpty {
                if all.count <= TouchedRows.unindexedLimit { indexes = [:] } else { indexes[rowid] = nil }
            }
            if all.isEmpty { isAscending = true }
        }
    }
}
