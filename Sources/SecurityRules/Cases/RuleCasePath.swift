// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The paths of a test case, all of them in one form: `%XX` is a byte of UTF-8, as in the URLs of the recorded cases. A `+` is a plus.
enum RuleCasePath {
    static func read(_ text: String) throws(DocumentFormError) -> ResourcePath {
        let path = try ResourcePath(parsing: text)
        guard text.utf8.contains(0x25) else { return path }
        return ResourcePath(segments: path.segments.map(decoded))
    }

    /// What is read as a path again.
    static func text(of path: ResourcePath) -> String { path.description.replacing("%", with: "%25") }

    /// Segments with a `%` that begins no byte, or with a slash, are taken as they are.
    private static func decoded(_ segment: Text) -> Text {
        guard let text = PathText.decode(segment.string.replacing("+", with: "%2B")), !text.string.utf8.contains(0x2F)
        else { return segment }
        return text
    }
}
