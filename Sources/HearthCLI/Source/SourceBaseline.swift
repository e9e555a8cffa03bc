// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Findings in source that are known: lines `{"file","rule","query"}`, without line numbers, which change too often.
struct SourceBaseline {
    struct Entry: Hashable {
        let file: String
        let rule: String
        let query: String
    }

    private var entries: Set<Entry> = []

    /// Nothing is known without a file, or if there is none yet.
    static func read(_ path: String?) throws(CommandFailure) -> SourceBaseline {
        var baseline = SourceBaseline()
        guard let path, System.exists(path) else { return baseline }
        let source = try InputFile.contents(path)
        for (number, line) in source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        {
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            guard let node = try? JSONParser.parse(Array(line)), let file = node["file"]?.string,
                let rule = node["rule"]?.string, let query = node["query"]?.string
            else {
                throw CommandFailure(
                    "\"\(path)\": line \(number + 1) is no {\"file\",\"rule\",\"query\"}; hearth check --update-baseline "
                        + "writes such lines")
            }
            baseline.add(Entry(file: file, rule: rule, query: query))
        }
        return baseline
    }

    mutating func add(_ entry: Entry) { entries.insert(entry) }

    func contains(_ entry: Entry) -> Bool { entries.contains(entry) }

    func write(_ path: String) throws(CommandFailure) {
        let lines = entries.map { entry in
            JSONNode.object([
                "file": .string(entry.file), "rule": .string(entry.rule), "query": .string(entry.query),
            ]).text() + "\n"
        }
        try OutputFile.replace(path, Array(lines.sorted().joined().utf8))
    }
}
