// SPDX-License-Identifier: Apache-2.0

import JSONText
import QuerySource
import Testing

/// The sites of a source, a line each: the line number, then the queries or why they are not known.
func sites(
    _ source: String, _ path: String, collections: [String: String] = [:],
    constants: SourceConstants = SourceConstants(), aliases: ModuleAliases = ModuleAliases(),
    stack: Int = QuerySource.usualStack
) -> [String] {
    let bytes = Array(source.utf8)
    let report = QuerySource.read(
        bytes, path: path, collections: collections, constants: constants, aliases: aliases, stack: stack)
    guard let report else { return ["no language"] }
    let lines = LineMap(bytes)
    return report.sites.flatMap { site in
        let line = lines.position(of: site.offset).line
        let mark = site.isSilenced ? "silenced " : ""
        return (site.queries.map(\.text).sorted() + site.unresolved.map { "unresolved: \($0)" }).map {
            "\(line) \(mark)\($0)"
        }
    }
}

/// Expects the sites that are listed, in any order of the queries of a line.
func expect(
    _ source: String, _ path: String, _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(sites(source, path) == expected, sourceLocation: sourceLocation)
}

/// The collections of a file's queries, or why they are not known, where other files are read with it.
func collections(
    _ source: String, _ path: String, _ files: [String: String], _ aliases: ModuleAliases = ModuleAliases()
) -> [String] {
    let constants = files.reduce(into: SourceConstants()) {
        $0.merge(QuerySource.constants(in: Array($1.value.utf8), path: $1.key))
    }
    return sites(source, path, constants: constants, aliases: aliases).map {
        String($0.drop { $0 != " " }.dropFirst())
    }
}

/// Expects one query, of a collection; of none, that it is not known.
func expect(
    _ found: [String], ofCollection collection: String, _ head: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    if collection.isEmpty {
        #expect(
            found.count == 1 && found[0].hasPrefix("unresolved"), "\(head) \(found)", sourceLocation: sourceLocation)
    } else {
        #expect(found == ["\(collection).where(\"a\",\"==\",1)"], "\(head)", sourceLocation: sourceLocation)
    }
}

/// A source in a language, and the sites in it.
struct SourceCase: CustomTestStringConvertible, Sendable {
    let name: String
    let source: String
    let sites: [String]

    init(_ name: String, _ source: String, _ sites: [String]) {
        (self.name, self.source, self.sites) = (name, source, sites)
    }

    var testDescription: String { name }
}
