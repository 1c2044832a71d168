/// A header text with names in braces, such as "{name}: {unread} unread".
struct SectionTitleFormat {
    let format: String

    /// The text with a value for each name. A name without one stays as it is, braces included; two
    /// braces are one.
    func text(_ value: (String) -> String?) -> String {
        var text = ""
        var rest = Substring(format)
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            text += rest[..<brace]
            let next = rest.index(after: brace)
            rest = rest[next...]
            if rest.first == format[brace] {
                text.append(format[brace])
                rest = rest.dropFirst()
            } else if format[brace] == "{", let end = rest.firstIndex(of: "}"), let found = value(String(rest[..<end]))
            {
                text += found
                rest = rest[rest.index(after: end)...]
            } else {
                text.append(format[brace])
            }
        }
        return text + rest
    }
}
