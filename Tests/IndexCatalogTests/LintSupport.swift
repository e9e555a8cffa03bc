// SPDX-License-Identifier: Apache-2.0

import Foundation
import IndexCatalog
import JSONText
import Testing

/// A finding in the form that tests compare.
struct Place: Hashable, CustomStringConvertible {
    let line: Int
    let column: Int
    let rule: String

    var description: String { "\(line):\(column) \(rule)" }
}

func places(_ source: [UInt8]) -> [Place] {
    let lines = LineMap(source)
    return ConfigurationReader.read(source).findings.map { finding in
        let position = lines.position(of: finding.offset)
        return Place(line: position.line, column: position.column, rule: finding.rule.id)
    }
}

/// Expects exactly the findings that are marked in `source`: `«rule»` precedes the offending key or value and is
/// removed before the text is read. Several marks may follow one another.
func expectFindings(
    _ marked: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    var source = ""
    var expected: [Place] = []
    var rest = marked[...]
    while let open = rest.firstIndex(of: "«"), let close = rest[open...].firstIndex(of: "»") {
        source += rest[..<open]
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        expected.append(
            Place(
                line: lines.count, column: (lines.last?.unicodeScalars.count ?? 0) + 1,
                rule: String(rest[rest.index(after: open)..<close])))
        rest = rest[rest.index(after: close)...]
    }
    source += rest
    let found = places(Array(source.utf8))
    #expect(found.map(\.description).sorted() == expected.map(\.description).sorted(), sourceLocation: sourceLocation)
}

/// The file around the fields of one index on collection c.
func index(_ fields: String, scope: String = "COLLECTION", mark: String = "") -> String {
    #"{"indexes": [\#(mark){"collectionGroup": "c", "queryScope": "\#(scope)", "fields": [\#(fields)]}]}"#
}

/// The file around field overrides.
func overrides(_ entries: String) -> String {
    #"{"indexes": [], "fieldOverrides": [\#(entries)]}"#
}

/// An override of field `path` of collection c.
func override(_ indexes: String, path: String = "f", rest: String = "") -> String {
    #"{"collectionGroup": "c", "fieldPath": "\#(path)", \#(rest)"indexes": \#(indexes)}"#
}

/// The automatic entries of an override.
let automaticEntries =
    #"{"order": "ASCENDING", "queryScope": "COLLECTION"}, {"order": "DESCENDING", "queryScope": "COLLECTION"}, "#
    + #"{"arrayConfig": "CONTAINS", "queryScope": "COLLECTION"}"#

func asc(_ path: String) -> String { #"{"fieldPath": "\#(path)", "order": "ASCENDING"}"# }
func desc(_ path: String) -> String { #"{"fieldPath": "\#(path)", "order": "DESCENDING"}"# }
func contains(_ path: String) -> String { #"{"fieldPath": "\#(path)", "arrayConfig": "CONTAINS"}"# }
func vector(_ path: String, _ dimension: String = "3") -> String {
    #"{"fieldPath": "\#(path)", "vectorConfig": {"dimension": \#(dimension), "flat": {}}}"#
}

func read(_ source: String) -> IndexConfiguration { ConfigurationReader.read(Array(source.utf8)).configuration }

/// Nil in a clone without the shared cases, which is printed.
func sharedFolder(_ name: String) -> URL? {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/data/\(name)").standardizedFileURL
    guard FileManager.default.fileExists(atPath: folder.path()) else {
        print("skipped: shared/data is absent")
        return nil
    }
    return folder
}

/// The contents of an array's brackets.
func list(_ elements: String...) -> String { elements.joined(separator: ", ") }
