/// Names of files as SQLite reads them with parameters (https://www.sqlite.org/uri.html).
enum FileURI {
    /// The name of a file that nobody changes.
    static func immutable(_ path: String) -> String {
        // After two slashes comes the name of a machine, here none.
        (path.hasPrefix("/") ? "file://" : "file:") + escaped(path) + "?immutable=1"
    }

    /// A path with all bytes that can have a meaning as "%" and two hexadecimal digits.
    private static func escaped(_ path: String) -> String {
        var result = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return result
    }
}
