internal import SQLiteKit

/// An identity with its id.
struct FoundIdentity {
    private var key: [UInt8] = []
    private var id: Int64?

    func id(of key: UnsafeRawBufferPointer) -> Int64? {
        guard let id, unsafe self.key.withUnsafeBytes({ unsafe $0.hasSameBytes(as: key) }) else { return nil }
        return id
    }

    mutating func set(_ key: UnsafeRawBufferPointer, _ id: Int64) {
        self.key.removeAll(keepingCapacity: self.key.capacity <= 256)
        unsafe self.key.append(contentsOf: key)
        self.id = id
    }

    /// Called when the id is released.
    mutating func forget(_ id: Int64) {
        if self.id == id { self.id = nil }
    }
}
