// SPDX-License-Identifier: Apache-2.0

/// Converts property names between the two common spellings, as Foundation's JSON coders do.
enum SnakeCase {
    /// `oneTwoThree` becomes `one_two_three`, `myURLProperty` becomes `my_url_property`.
    static func snake(_ name: String) -> String {
        let characters = Array(name)
        var result = ""
        for (index, character) in characters.enumerated() {
            let follows = index > 0 && characters[index - 1] != "_"
            let endsWord =
                follows
                && (!characters[index - 1].isUppercase
                    || (index + 1 < characters.count && characters[index + 1].isLowercase))
            if character.isUppercase, endsWord { result += "_" }
            result += character.lowercased()
        }
        return result
    }

    /// `one_two_three` becomes `oneTwoThree`; underscores at either end stay.
    static func camel(_ name: String) -> String {
        guard let first = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else {
            return name
        }
        let words = name[first...last].split(separator: "_")
        guard words.count > 1 else { return name }
        let inner = words[0].lowercased() + words.dropFirst().map { $0.lowercased().capitalizedFirst }.joined()
        return name[..<first] + inner + name[name.index(after: last)...]
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
