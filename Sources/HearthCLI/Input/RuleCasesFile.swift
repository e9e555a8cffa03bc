// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import SecurityRules

/// A file of cases for rules, one a line, and the documents to which they refer.
struct RuleCasesFile {
    private let name: String
    private let source: [UInt8]
    private let fixtures: JSONNode?

    init(_ path: String, fixtures: String?) throws(CommandFailure) {
        name = path == "-" ? "standard input" : path
        self.fixtures = try fixtures.map(RuleCasesFile.fixtures)
        source = try InputFile.contents(path)
    }

    private static func fixtures(_ path: String) throws(CommandFailure) -> JSONNode {
        let source = try InputFile.contents(path)
        do { return try JSONParser.parse(source) } catch {
            throw CommandFailure("\(path) is no JSON: \(error.message)")
        }
    }

    /// Calls `body` with each case. Its errors are reported with the line.
    func forEach(_ body: (RuleCase) throws(DocumentFormError) -> Void) throws(CommandFailure) {
        for (index, line) in source.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            do throws(DocumentFormError) {
                let test = try RuleCase(try json(Array(line)), fixtures: fixtures)
                for member in test.unknownMembers {
                    Diagnostics.write("hearth: warning: \(name):\(index + 1): nothing reads \(member)")
                }
                try body(test)
            } catch {
                throw CommandFailure("\(name):\(index + 1): \(error.message)")
            }
        }
    }

    private func json(_ line: [UInt8]) throws(DocumentFormError) -> JSONNode {
        do { return try JSONParser.parse(line) } catch {
            throw DocumentFormError("the line is no JSON: \(error.message)")
        }
    }
}
