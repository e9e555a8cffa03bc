// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Foundation
import TestSupport

/// A database to which processes that may die make numbered commits (`NumberedWriter`).
final class SharedFile {
    let path: String
    private let directory: TemporaryDirectory
    /// The last number of each writer that is in the database.
    private(set) var last: [String: Int] = [:]
    /// What is wrong, in words.
    private(set) var findings: [String] = []

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("shared.db")
    }

    /// Names of files in the database's folder.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
    }

    /// The arguments of a writer that makes some commits after its last one.
    func arguments(_ writer: String, commits: Int) -> [String] {
        let first = (last[writer] ?? 0) + 1
        return ["number", path, writer, String(first), String(first + commits - 1)]
    }

    /// Compares the database with what its writers have reported: every reported commit is there, at most the one after it as well,
    /// and the shared count is that of all commits.
    func inspect(_ reported: [String: String]) throws {
        let engine = try Engine.open(path)
        // A writer that was killed between writing a commit and announcing it leaves a commit that readers see after the next
        // write, as long as another process has the file open.
        _ = try engine.commit([Write("shared/nothing", .delete)])
        findings += try engine.verify().problems
        var numbers: [String: Int] = [:]
        var count = 0
        try engine.forEachDocument { document in
            let name = document.path.collection.resource.segments[0].string
            guard case .integer(let number)? = document.fields["n" as Text] else { return }
            switch name {
            case "pair": break
            case "shared": count = Int(number)
            default: numbers[name, default: 0] += 1
            }
        }
        for (writer, output) in reported {
            let promised = max(last[writer] ?? 0, output.split(separator: "\n").compactMap { Int($0) }.last ?? 0)
            let found = numbers[writer] ?? 0
            if !(promised...promised + 1).contains(found) {
                findings.append("\(writer) reported \(promised) commits, and \(found) are there")
            }
            last[writer] = found
        }
        let sum = numbers.values.reduce(0, +)
        if count != sum { findings.append("\(sum) commits counted to \(count)") }
    }
}
