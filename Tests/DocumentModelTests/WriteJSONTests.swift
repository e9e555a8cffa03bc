// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import JSONText
import Testing

/// Writes as JSON. What the emulator answers decides what is accepted.
@Suite struct WriteJSONTests {
    private static let database = DatabaseID(project: "p")

    private func read(_ json: String) throws -> Write {
        try WriteJSON.read(JSONParser.parse("[\(json)]"), database: Self.database)[0]
    }

    /// Taken for an empty mask, it would change nothing without a word.
    @Test(arguments: [#""n""#, #"{"0":"n"}"#, "{}", "5", "true", #"["n",null]"#])
    func masksThatAreNone(_ paths: String) throws {
        #expect(throws: DocumentFormError.self) {
            try read(#"{"update":{"name":"c/a"},"updateMask":{"fieldPaths":\#(paths)}}"#)
        }
    }

    @Test(arguments: [("{}", []), (#"{"fieldPaths":[]}"#, []), (#"{"fieldPaths":["n"]}"#, ["n"])] as [(String, [String])])
    func masks(_ mask: String, _ paths: [String]) throws {
        let write = try read(#"{"update":{"name":"c/a"},"updateMask":\#(mask)}"#)
        guard case .update(_, let read, _) = write.operation else { return Issue.record("\(write)") }
        #expect(read == (try paths.map { try FieldPath(wire: $0) }))
    }
}
