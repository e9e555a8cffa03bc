// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import IndexCatalog
internal import JSONText

/// Findings as the Static Analysis Results Interchange Format, version 2.1.0.
enum SARIF {
    static func log(_ list: FindingList, _ book: LintBook) -> JSONNode {
        let ids = list.rules
        let run = JSONNode.object([
            "tool": .object([
                "driver": .object([
                    "name": .string("hearth"),
                    "version": .string(HearthCommand.configuration.version),
                    "rules": .array(ids.map { rule($0, book) }),
                ])
            ]),
            "invocations": .array([invocation(list)]),
            "columnKind": .string("unicodeCodePoints"),
            "results": .array(list.findings.map { result($0, ruleIndex: ids.firstIndex(of: $0.rule) ?? 0) }),
        ])
        return .object([
            "$schema": .string("https://json.schemastore.org/sarif-2.1.0.json"),
            "version": .string("2.1.0"),
            "runs": .array([run]),
        ])
    }

    /// Sections 3.20.14 and 3.20.21: whether everything was checked, and what readers must know about the run.
    private static func invocation(_ list: FindingList) -> JSONNode {
        let notices = list.notices.map { notice in
            JSONNode.object(["level": .string(notice.severity.rawValue), "message": text(notice.sentence)])
        }
        return .object([
            "executionSuccessful": .boolean(!list.notices.contains { $0.severity == .error }),
            "toolExecutionNotifications": .array(notices),
        ])
    }

    private static func rule(_ id: String, _ book: LintBook) -> JSONNode {
        guard let rule = book.entry(id) else { return .object(["id": .string(id)]) }
        return .object([
            "id": .string(id),
            "shortDescription": text(rule.title),
            "fullDescription": text(rule.explanation),
            "help": text("\(book.command) --explain \(id)"),
            "defaultConfiguration": .object(["level": .string(rule.severity.rawValue)]),
        ])
    }

    private static func result(_ finding: Finding, ruleIndex: Int) -> JSONNode {
        .object([
            "ruleId": .string(finding.rule),
            "ruleIndex": .integer(Int64(ruleIndex)),
            "level": .string(finding.severity.rawValue),
            "message": text(finding.message),
            "locations": .array([location(finding)]),
        ])
    }

    private static func location(_ finding: Finding) -> JSONNode {
        .object([
            "physicalLocation": .object([
                "artifactLocation": .object(["uri": .string(uri(finding.file))]),
                "region": .object([
                    "startLine": .integer(Int64(finding.position.line)),
                    "startColumn": .integer(Int64(finding.position.column)),
                ]),
            ])
        ])
    }

    private static func text(_ text: String) -> JSONNode { .object(["text": .string(text)]) }

    /// A path as a URI reference. Escapes everything but unreserved characters and slashes.
    private static func uri(_ path: String) -> String {
        var result = path.hasPrefix("/") ? "file://" : ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return result
    }
}
