extension TouchedRows {
    /// The rows of a table WITHOUT ROWID, by the values of their key.
    package struct Keys {
        package private(set) var all: [RowValues] = []
        package internal(set) var images: [RowValues?] = []
        /// Whether the keys ascend, as a statement that runs through a table produces them: a key
        /// after the last one is new, and the other keys are found by a binary search.
        private var isAscending = true
        /// By the bytes of the keys; empty as long as these ascend or are few.
        private var indexes: [[UInt8]: Int] = [:]

        func index(of key: RowValues) -> Int? {
            if all.count <= unindexedLimit { return all.lastIndex { Self.isSame($0, key) } }
            return isAscending ? ascendingIndex(of: key) : indexes[Self.bytes(of: key)]
        }

        private func ascendingIndex(of key: RowValues) -> Int? {
            var low = 0
            var high = all.count
            while low < high {
                let middle = (low + high) / 2
                if Self.isSame(all[middle], key) { return middle }
                if Self.precedes(all[middle], key) { low = middle + 1 } else { high = middle }
            }
            return nil
        }

        /// Adds a row unless it is contained already. False if it is added without an image.
        @discardableResult
        mutating func touch(_ key: RowValues, image: @autoclosure () -> RowValues?) -> Bool {
            guard isNew(key) else { return true }
            let image = image()
            append(key, image)
            return image != nil
        }

        /// Adds a row, or replaces its image.
        mutating func note(_ key: RowValues, image: RowValues?) {
            if isNew(key) { return append(key, image) }
            if let index = index(of: key) { images[index] = image }
        }

        private mutating func append(_ key: RowValues, _ image: RowValues?) {
            all.append(key)
            images.append(image)
        }

        /// Whether a row is not contained; if so, it must be appended.
        private mutating func isNew(_ key: RowValues) -> Bool {
            let next = all.count
            // An update touches the old and the new row, which mostly have the same key.
            guard let last = all.last else { return true }
            if Self.hasSameValues(last, key) { return false }
            if next < unindexedLimit { return index(of: key) == nil }
            if next == unindexedLimit {
                guard index(of: key) == nil else { return false }
                isAscending = zip(all, all.dropFirst()).allSatisfy(Self.precedes)
                if !isAscending { makeIndexes() }
            }
            if isAscending {
                if Self.precedes(last, key) { return true }
                if Self.isSame(last, key) { return false }
                makeIndexes()
            }
            return indexes.index(of: Self.bytes(of: key), orNew: next) == next
        }

        private mutating func makeIndexes() {
            isAscending = false
            for index in all.indices { indexes[Self.bytes(of: all[index])] = index }
        }

        mutating func removeLast() {
            let key = all.removeLast()
            images.removeLast()
            if all.count <= unindexedLimit { indexes = [:] } else { indexes[Self.bytes(of: key)] = nil }
        }

        private static func isSame(_ a: RowValues, _ b: RowValues) -> Bool {
            if hasSameValues(a, b) { return true }
            // Different bits can be the same number.
            return (0..<a.count).contains { a.storageClass($0) == .real || b.storageClass($0) == .real }
                && bytes(of: a) == bytes(of: b)
        }

        private static func hasSameValues(_ a: RowValues, _ b: RowValues) -> Bool {
            (0..<a.count).allSatisfy { a.isSame($0, as: b, $0) }
        }

        /// Whether a key sorts before another one, as the bytes of both do.
        private static func precedes(_ a: RowValues, _ b: RowValues) -> Bool {
            for index in 0..<a.count where !a.isSame(index, as: b, index) {
                switch (a.storageClass(index), b.storageClass(index)) {
                case (.integer, .integer): return a.integer(index) < b.integer(index)
                case (.text, .text), (.blob, .blob): return unsafe a.bytes(index).precedes(b.bytes(index))
                default: return bytes(of: a).lexicographicallyPrecedes(bytes(of: b))
                }
            }
            return false
        }

        private static func bytes(of key: RowValues) -> [UInt8] {
            var encoder = KeyEncoder()
            for index in 0..<key.count { encoder.append(key, index, KeyComponent()) }
            return encoder.copy()
        }
    }
}
