// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import JSONText
import TestSupport
import Testing

/// Writes as JSON. What the emulator answers decides what is accepted.
@Suite struct WriteJSONTests {
    private static let database = DatabaseID(project: "p")

    private func read(_ json: String) throws -> Write {
        try WriteJSON.read(JSONParser.parse("[\(json)]"), .fullOrRelative(in: Self.database))[0]
    }

    /// Taken for an empty mask, it would change nothing without a word.
    @Test(arguments: [#""n""#, #"{"0":"n"}"#, "{}", "5", "true", #"["n",null]"#])
    func masksThatAreNone(_ paths: String) throws {
        #expect(throws: DocumentFormError.self) {
            try read(#"{"update":{"name":"c/a"},"updateMask":{"fieldPaths":\#(paths)}}"#)
        }
    }

    @Test(
        arguments: [("{}", []), (#"{"fieldPaths":[]}"#, []), (#"{"fieldPaths":["n"]}"#, ["n"])] as [(String, [String])])
    func masks(_ mask: String, _ paths: [String]) throws {
        let write = try read(#"{"update":{"name":"c/a"},"updateMask":\#(mask)}"#)
        guard case .update(_, let read?, _) = write.operation else {
            Issue.record("\(write)")
            return
        }
        #expect(try read == paths.map { try FieldPath(wire: $0) })
    }

    private static let arrays = ["appendMissingElements", "removeAllFromArray"]

    private func transform(_ operation: String, _ array: String) throws -> Write {
        try read(#"{"transform":{"document":"c/a","fieldTransforms":[{"fieldPath":"n","\#(operation)":\#(array)}]}}"#)
    }

    /// Taken for an empty list, it would replace a value that is no array.
    @Test(
        arguments: arrays,
        [
            #"{"arrayValue":{"values":[{"integerValue":"1"}]}}"#, #"{"values":{"integerValue":"1"}}"#,
            #"{"integerValue":"1"}"#, "[]", #""x""#, #"{"values":[null]}"#,
        ])
    func elementsThatAreNone(_ operation: String, _ array: String) throws {
        let error = #expect(throws: DocumentFormError.self) { try transform(operation, array) }
        #expect(array.contains("[null]") || error?.message.contains(operation) == true)
    }

    @Test(
        arguments: [
            ("{}", [1], [1, 7]), (#"{"values":[]}"#, [1], [1, 7]),
            (#"{"values":[{"integerValue":"7"}]}"#, [1, 7], [1]),
        ] as [(String, Value, Value)])
    func elements(_ array: String, _ appended: Value, _ removed: Value) throws {
        for (operation, expected) in zip(Self.arrays, [appended, removed]) {
            guard case .update(_, _, let transforms) = try transform(operation, array).operation else { continue }
            let stored: Value = operation == "removeAllFromArray" ? [1, 7] : [1]
            #expect(transforms.map { $0.apply(to: stored, at: Timestamp(microseconds: 0)!).value } == [expected])
        }
    }

    private static let update = #""update":{"name":"c/a","fields":{"n":{"integerValue":"2"}}}"#

    /// What is null is not set, and names may be in snake case. Each pair is the same write.
    @Test(arguments: [
        (#"{\#(update),"updateMask":null,"currentDocument":null,"updateTransforms":null}"#, "{\(update)}"),
        (#"{\#(update),"currentDocument":{}}"#, "{\(update)}"),
        (#"{\#(update),"currentDocument":{"exists":null}}"#, "{\(update)}"),
        (
            #"{\#(update),"currentDocument":{"updateTime":null,"exists":true}}"#,
            #"{\#(update),"currentDocument":{"exists":true}}"#
        ),
        (#"{\#(update),"updateMask":{"fieldPaths":null}}"#, #"{\#(update),"updateMask":{}}"#),
        (
            #"{"update":{"name":"c/a","fields":null,"createTime":null,"updateTime":null}}"#,
            #"{"update":{"name":"c/a"}}"#
        ),
        (#"{"delete":"c/a","updateMask":null,"updateTransforms":null}"#, #"{"delete":"c/a"}"#),
        (#"{"delete":"c/a","updateTransforms":[]}"#, #"{"delete":"c/a"}"#),
        (#"{"update":null,"delete":"c/a"}"#, #"{"delete":"c/a"}"#),
        (
            #"{"update":{"name":"c/a"},"updateTransforms":[{"fieldPath":"n","maximum":null,"increment":{"integerValue":1}}]}"#,
            #"{"update":{"name":"c/a"},"updateTransforms":[{"fieldPath":"n","increment":{"integerValue":1}}]}"#
        ),
        (
            #"{"update":{"name":"c/a"},"updateTransforms":[{"fieldPath":"n","appendMissingElements":{"values":null}}]}"#,
            #"{"update":{"name":"c/a"},"updateTransforms":[{"fieldPath":"n","appendMissingElements":{}}]}"#
        ),
        (#"{\#(update),"update_mask":{"field_paths":["n"]}}"#, #"{\#(update),"updateMask":{"fieldPaths":["n"]}}"#),
        (#"{\#(update),"current_document":{"exists":true}}"#, #"{\#(update),"currentDocument":{"exists":true}}"#),
        (
            #"{"delete":"c/a","current_document":{"update_time":"2024-01-01T00:00:00Z"}}"#,
            #"{"delete":"c/a","currentDocument":{"updateTime":"2024-01-01T00:00:00Z"}}"#
        ),
        (#"{"update":{"name":"c/a","create_time":null,"update_time":null}}"#, #"{"update":{"name":"c/a"}}"#),
        (
            #"{"transform":{"document":"c/a","field_transforms":[{"field_path":"n","set_to_server_value":1},"#
                + #"{"field_path":"l","append_missing_elements":{"values":[{"integer_value":1}]}},"#
                + #"{"field_path":"m","remove_all_from_array":{}}]}}"#,
            #"{"transform":{"document":"c/a","fieldTransforms":[{"fieldPath":"n","setToServerValue":"REQUEST_TIME"},"#
                + #"{"fieldPath":"l","appendMissingElements":{"values":[{"integerValue":"1"}]}},"#
                + #"{"fieldPath":"m","removeAllFromArray":{}}]}}"#
        ),
    ])
    func spellings(_ json: String, _ plain: String) throws {
        #expect("\(try read(json))" == "\(try read(plain))")
    }

    /// What the emulator refuses, too.
    @Test(arguments: [
        "null", "{}", #"{"delete":null}"#, #"{"delete":"c/a","update":null}"#, #"{"delete":"c/a","updateMask":{}}"#,
        #"{"update":{"name":null}}"#, #"{"delete":"c/a","currentDocument":{"exists":true,"updateTime":null}}"#,
        #"{"delete":"c/a","currentDocument":{"exists":1}}"#, #"{"delete":"c/a","currentDocument":[]}"#,
        #"{"update":{"name":"c/a"},"updateTransforms":{}}"#, #"{"update":{"name":"c/a"},"updateTransforms":[null]}"#,
        #"{"update":{"name":"c/a"},"updateTransforms":[{"fieldPath":"n","increment":null}]}"#,
        #"{"update":{"name":"c/a"},"updateTransforms":[{"fieldPath":"n","increment":{"integerValue":1},"maximum":null}]}"#,
        #"{"update":{"name":"c/a"},"updateTransforms":[{"fieldPath":null,"increment":{"integerValue":1}}]}"#,
        #"{"update":{"name":"c/a"},"updateMask":{},"update_mask":{}}"#,
        #"{"update":{"name":"c/a"},"update_Mask":{}}"#,
        #"{"update":{"name":"c/a"},"updateTransforms":[{"fieldPath":"n","setToServerValue":0}]}"#,
        #"{"update":{"name":"c/a"},"updateTransforms":[{"fieldPath":"n","setToServerValue":2}]}"#,
    ])
    func refuses(_ json: String) throws {
        #expect(throws: DocumentFormError.self) { try read(json) }
    }
}
