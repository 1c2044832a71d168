/// A value that other objects refer to by its box, and C code by the address of the box. Copies of
/// a value can share a box until one of them is changed.
package final class Box<Value: ~Copyable> {
    @usableFromInline package var value: Value

    @inlinable
    package init(_ value: consuming Value) { self.value = value }
}

/// Sendable, because copies of a sendable value share a box only while none of them is changed.
extension Box: @unchecked Sendable where Value: Sendable {}
