/// A header text made of a format with names in braces, such as "{name}: {unread} unread".
///
/// - Parameter value: The text for a name. A name without one stays as it is, braces included; two
///   braces are one.
func sectionTitle(_ format: String, _ value: (String) -> String?) -> String {
    var text = ""
    var rest = Substring(format)
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
        text += rest[..<brace]
        let next = rest.index(after: brace)
        rest = rest[next...]
        if rest.first == format[brace] {
            text.append(format[brace])
            rest = rest.dropFirst()
        } else if format[brace] == "{", let end = rest.firstIndex(of: "}"), let found = value(String(rest[..<end])) {
            text += found
            rest = rest[rest.index(after: end)...]
        } else {
            text.append(format[brace])
        }
    }
    return text + rest
}
