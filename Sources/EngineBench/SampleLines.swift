// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// A thousand tasks in the lossless form.
private let lines: [UInt8] = {
    var writer = JSONWriter()
    let collection = CollectionPath(ResourcePath(segments: ["tasks"]))
    for index in 0..<1_000 {
        let fields = Fields(sorting: [
            Field("created", .timestamp(Timestamp(microseconds: 1_700_000_000_000_000 + Int64(index))!)),
            Field("done", .boolean(index % 3 == 0)), Field("estimate", .double(Double(index % 100) / 4)),
            Field("notes", .string("call the garden office about paper for the summer school")),
            Field("priority", .integer(Int64(index % 10))),
            Field("tags", .array([.string(Text("tag-\(index % 50)")), .string(Text("tag-\(index % 50 + 50)"))])),
            Field("title", .string("write a letter to the bridge keeper")),
        ])
        let path = collection.document(Text("task-\(index)-of-some-length"))
        DocumentJSON.write(path, fields, to: &writer, database: DatabaseID(project: "hearth"))
        writer.newline()
    }
    return writer.bytes
}()

private struct NoError: Error {}

/// Reads a thousand documents as an import does.
func readSampleLines(directly: Bool) throws {
    var isRead = false
    let stream = LineReader(compressed: { NoError() }) { _, buffer in
        defer { isRead = true }
        if !isRead { buffer += lines }
        return isRead ? 0 : lines.count
    }
    var reader = NDJSONReader(stream, database: DatabaseID(project: "hearth"), plain: nil, readsDirectly: directly)
    while try reader.next() != nil {}
}
