// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

enum TextFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

enum RowFormat: String, ExpressibleByArgument, CaseIterable {
    case json, table
}

enum FindingFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif, github
}
