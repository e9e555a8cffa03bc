// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// Reads and lints a `firestore.indexes.json`.
package struct ConfigurationReader {
    /// The configuration in a source text, and all findings of all rules, in source order.
    ///
    /// The configuration contains the entries without errors, in source order and without repetitions. Legacy forms are
    /// upgraded (J-7 to J-10), and `__name__` is normalised (I-17, I-18, J-23). If the text is not JSON, it is empty,
    /// and the rules `syntax` or `trailing-comma` report why. Resources of Terraform with values that only Terraform knows are left out,
    /// too.
    ///
    /// - Parameters:
    ///   - rule: decides about a `__name__` that an index omits. Comparisons with another file or a listing use the
    ///     official tool's rule (I-17).
    ///   - except: the IDs of the rules that are not checked: what they would report is no error.
    package static func read(
        _ source: [UInt8], appendingNameBy rule: NameDirectionRule = .backend, for edition: Edition = .standard,
        except: Set<String> = []
    ) -> (configuration: IndexConfiguration, findings: [LintFinding]) {
        var trailingCommas: [Int] = []
        let known: (root: JSONNode, unreadable: [UnreadableResource])
        do {
            known = try ConfigurationForm.read(source, notingTrailingCommas: &trailingCommas)
        } catch {
            return (IndexConfiguration(), [LintFinding(rule: .syntax, offset: error.offset, message: error.message)])
        }
        let tree = ConfigurationTree(known.root, lines: LineMap(source), edition: edition)
        var findings = trailingCommas.map {
            LintFinding(rule: .trailingComma, offset: $0, message: "remove this comma: nothing follows it")
        }
        if !except.contains(LintRule.unknownValue.id) {
            findings += known.unreadable.map {
                LintFinding(rule: .unknownValue, offset: $0.offset, message: $0.message)
            }
        }
        findings += violations(in: tree, except: except)
        findings.sort { ($0.offset, $0.rule.id) < ($1.offset, $1.rule.id) }
        return (configuration(of: tree, without: ErrorPlaces(findings), rule), findings)
    }

    /// The configuration in a text that ``ConfigurationWriter`` has written, or nil if it is not JSON. Does not check the rules, which
    /// take most of the time.
    package static func read(written source: [UInt8]) -> IndexConfiguration? {
        var trailingCommas: [Int] = []
        guard let root = try? ConfigurationForm.tree(source, notingTrailingCommas: &trailingCommas) else { return nil }
        let tree = ConfigurationTree(root, lines: LineMap(source), edition: .standard)
        return configuration(of: tree, without: ErrorPlaces([]), .backend)
    }

    /// Later findings of one rule have its title as their message: nobody reads that many, and their messages would
    /// fill memory.
    package static let wordedViolations = 10_000

    static func violations(in tree: ConfigurationTree, except: Set<String> = []) -> [LintFinding] {
        var findings: [LintFinding] = []
        for rule in LintRule.all where rule.editions.contains(tree.edition) && !except.contains(rule.id) {
            var unworded = wordedViolations
            let report = LintRule.Report { offset, severity, message in
                unworded -= 1
                findings.append(
                    LintFinding(
                        rule: rule, offset: offset, severity: severity, message: unworded >= 0 ? message() : rule.title)
                )
            }
            rule.check(tree, report)
        }
        return findings
    }

    private static func configuration(
        of tree: ConfigurationTree, without errors: ErrorPlaces, _ rule: NameDirectionRule
    ) -> IndexConfiguration {
        var configuration = IndexConfiguration()
        var seen: Set<IndexDefinition> = []
        for entry in tree.indexes where errors.spare(entry.node) {
            let normalized = rule == .backend ? entry.definition : entry.officialToolDefinition
            guard let definition = normalized, seen.insert(definition).inserted else { continue }
            configuration.indexes.append(definition)
        }
        configuration.fieldOverrides = lastOfEachTarget(
            tree.fieldOverrides.filter { errors.spare($0.node) }.compactMap(\.fieldOverride))
        return configuration
    }

    /// The last override of a field wins.
    private static func lastOfEachTarget(_ overrides: [FieldOverride]) -> [FieldOverride] {
        var seen: Set<OverrideTarget> = []
        let kept = overrides.reversed().filter { seen.insert(OverrideTarget($0)).inserted }
        return kept.reversed()
    }
}

/// The offsets of the errors in a file, or of other findings, except trailing commas, which do not affect entries.
struct ErrorPlaces {
    private let offsets: [Int]

    init(_ findings: [LintFinding], where counts: (LintFinding) -> Bool = { $0.rule.severity == .error }) {
        let errors = findings.filter { counts($0) && $0.rule.id != LintRule.trailingComma.id }
        offsets = errors.map(\.offset).sorted()
    }

    /// Whether the node has none of them.
    func spare(_ node: JSONNode) -> Bool {
        let firstAtOrAfter = offsets.indices.partitioningIndex { offsets[$0] >= node.offset }
        return firstAtOrAfter == offsets.count || offsets[firstAtOrAfter] >= node.range.upperBound
    }
}
