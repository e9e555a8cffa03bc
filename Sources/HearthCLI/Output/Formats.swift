// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

enum TextFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

enum RowFormat: String, ExpressibleByArgument, CaseIterable {
    /// One line of JSON for each query, or a table for people.
    case json, table
    /// The rows alone, one a line: plain JSON, comma-separated values, or the lossless form.
    case plain, csv, ndjson
}

enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
    case ndjson, plain, csv
}

enum FindingFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif, github
}
