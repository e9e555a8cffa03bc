// SPDX-License-Identifier: Apache-2.0

extension String {
    /// How conditions write the field of this name of a document: `data.owner`, or `data['2nd']` where it is no word.
    var behindData: String {
        if isMemberName { return "data.\(self)" }
        let escaped = replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        return "data['\(escaped)']"
    }

    /// Whether it may stand behind a dot. The official lexer takes two words for something else there.
    private var isMemberName: Bool {
        guard let first = utf8.first, Lexer.startsWord(first), self != "service", self != "rules_version" else {
            return false
        }
        return utf8.allSatisfy(Lexer.continuesWord)
    }
}
