/// A value that other objects refer to by its box, and C code by the address of the box.
final class Box<Value: ~Copyable> {
    var value: Value

    init(_ value: consuming Value) { self.value = value }
}
