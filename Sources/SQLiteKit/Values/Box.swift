/// A value that others refer to by its box: C code by the address of that.
final class Box<Value: ~Copyable> {
    var value: Value

    init(_ value: consuming Value) { self.value = value }
}
