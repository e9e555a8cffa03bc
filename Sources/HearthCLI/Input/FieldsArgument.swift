// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel
internal import JSONText

/// The argument with a document's fields.
struct FieldsArgument: ParsableArguments {
    @Argument(help: "The fields as a JSON object; - for standard input.")
    var json: String
    @Flag(help: "Values are in the lossless form: {\"population\":{\"integerValue\":\"1\"}}.")
    var lossless = false

    /// Malformed text on the command line is wrong usage; on standard input, it is unreadable input.
    ///
    /// - Returns: the fields for the database that they are written to. It is asked later, so that no database is created for
    ///   malformed text.
    func read() throws -> (DatabaseID) throws -> Fields {
        let source = json == "-" ? try InputFile.contents(json) : Array(json.utf8)
        func fields(in database: DatabaseID) throws -> Fields {
            do {
                let node = try JSONParser.parse(source)
                return try lossless ? FieldsArgument.readLossless(node, database) : PlainJSON.readFields(node)
            } catch let error as JSONSyntaxError {
                throw failure(error.message, error.offset, source)
            } catch let error as DocumentFormError {
                throw failure(error.message, error.offset, source)
            }
        }
        _ = try fields(in: DatabaseID(project: "hearth"))
        return fields
    }

    /// Reads the fields alone, or a whole document around them. A field named `fields` is a value.
    private static func readLossless(_ node: JSONNode, _ database: DatabaseID) throws(DocumentFormError) -> Fields {
        guard let fields = node["fields"], (try? ValueJSON.read(fields, database: database)) == nil else {
            return try ValueJSON.readFields(node, database: database)
        }
        return try ValueJSON.readFields(fields, database: database)
    }

    private func failure(_ message: String, _ offset: Int?, _ source: [UInt8]) -> any Error {
        let position = offset.map { LineMap(source).position(of: $0) }
        let place = position.map { "line \($0.line), column \($0.column): " } ?? ""
        return json == "-"
            ? CommandFailure("standard input: \(place)\(message)")
            : ValidationError("the JSON of the fields: \(place)\(message)")
    }
}
