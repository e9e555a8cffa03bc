// SPDX-License-Identifier: Apache-2.0

internal import BulkMove
internal import DocumentModel
internal import IndexCatalog
internal import JSONText

/// What `plan-move` prints.
struct MoveReport {
    private let plan: MovePlan
    private let configuration: IndexConfiguration
    private let ramp: WriteRamp

    init(_ plan: MovePlan, _ configuration: IndexConfiguration, _ ramp: WriteRamp) {
        self.plan = plan
        self.configuration = configuration
        self.ramp = ramp
    }

    private var seconds: Double { ramp.seconds(for: plan.writes) }

    // MARK: For people

    func write(to output: Output) {
        let style = Style.of(System.standardOutput)
        output.line(
            "documents  \(Numbers.grouped(plan.documents)) in "
                + Numbers.counted(plan.groups.count, "collection group"))
        output.line("size       \(Numbers.bytes(plan.bytes)) as Firestore counts documents, without indexes")
        output.line("writes     \(Numbers.grouped(plan.writes)) billed, one a document")
        output.line(
            "reads      \(Numbers.grouped(plan.writes)) billed, one a document, to compare versions at the end; none with "
                + "--no-compare")
        output.line(
            "time       \(Numbers.span(seconds: seconds)) at best: \(Numbers.grouped(Int(ramp.start))) writes a second at "
                + "first, half as many more every 5 minutes, up to \(Numbers.grouped(Int(ramp.maximum)))")
        output.line(
            "indexes    \(Numbers.counted(configuration.indexes.count, "composite index", "composite indexes")), "
                + Numbers.counted(configuration.fieldOverrides.count, "field override"))
        section("Collection groups", to: output, style, groupLines(style))
        section("Hot ranges: one server takes about 500 writes a second there", to: output, style, hotLines)
        section("Refused by production", to: output, style, refusedLines)
        section("What does not move as it is", to: output, style, MoveReport.lost(plan).map(\.text))
    }

    private func section(_ title: String, to output: Output, _ style: Style, _ lines: [String]) {
        guard !lines.isEmpty else { return }
        output.line()
        output.line(style.bold(title))
        for line in lines { output.line(line) }
    }

    private func groupLines(_ style: Style) -> [String] {
        var table = TextTable(["collection", "documents", "bytes", "largest"], numeric: [1, 2, 3])
        for group in plan.groups {
            table.add([
                group.id.string, Numbers.grouped(group.documents), Numbers.bytes(group.bytes),
                Numbers.bytes(group.largest),
            ])
        }
        return table.isEmpty ? [] : table.lines(width: Screen.width, style)
    }

    private var hotLines: [String] {
        plan.hotRanges.map { range in
            let because =
                switch range.evidence {
                case .creation: "as the order of creation shows"
                case .values: "as their values look"
                }
            return switch range.kind {
            case .names:
                "  \(range.group): names follow each other, \(because). New documents need names that are spread, such as "
                    + "generated ones, where more are written."
            case .field(let name):
                "  \(range.group).\(name): grows or shrinks with every document, \(because). Exempt the field from indexes "
                    + "where more are written and no query needs it."
            }
        }
    }

    private var refusedLines: [String] {
        let shown = plan.refused.map { "  \($0.path): \($0.reason)" }
        let more = plan.refusedCount - shown.count
        return more > 0 ? shown + ["  and \(Numbers.grouped(more)) more"] : shown
    }

    /// What the server gives anew, or takes as it is.
    private static func lost(_ plan: MovePlan) -> [(kind: String, text: String)] {
        var lost = [
            (
                "times",
                "  Create and update times: the server gives its own. Store them in fields if the program needs them."
            ),
            ("rules", "  Security rules: deploy them with `firebase deploy --only firestore:rules`."),
        ]
        if plan.documentsWithForeignReferences > 0 {
            lost.append(
                (
                    "foreignReferences",
                    "  References of \(Numbers.counted(plan.documentsWithForeignReferences, "document")) to other databases: "
                        + "they lead where they led. References within the database move with it."
                ))
        }
        return lost
    }

    // MARK: For programs

    var json: JSONNode {
        .object([
            "documents": .integer(Int64(plan.documents)), "bytes": .integer(Int64(plan.bytes)),
            "writes": .integer(Int64(plan.writes)), "reads": .integer(Int64(plan.writes)),
            "seconds": .integer(Int64(seconds.rounded(.up))),
            "compositeIndexes": .integer(Int64(configuration.indexes.count)),
            "fieldOverrides": .integer(Int64(configuration.fieldOverrides.count)),
            "collectionGroups": .array(
                plan.groups.map { group in
                    .object([
                        "collectionGroup": .string(group.id.string), "documents": .integer(Int64(group.documents)),
                        "bytes": .integer(Int64(group.bytes)), "largest": .integer(Int64(group.largest)),
                    ])
                }),
            "hotRanges": .array(plan.hotRanges.map(MoveReport.node)),
            "refused": .array(
                plan.refused.map { .object(["name": .string("\($0.path)"), "reason": .string($0.reason)]) }),
            "refusedCount": .integer(Int64(plan.refusedCount)),
            "notMoved": .array(MoveReport.lost(plan).map { .string($0.kind) }),
        ])
    }

    private static func node(_ range: HotRange) -> JSONNode {
        let (kind, field): (String, JSONNode) =
            switch range.kind {
            case .names: ("names", JSONNode(.null))
            case .field(let name): ("field", .string(name.string))
            }
        return .object([
            "collectionGroup": .string(range.group.string), "kind": .string(kind), "field": field,
            "evidence": .string(range.evidence.rawValue), "documents": .integer(Int64(range.documents)),
        ])
    }
}
