// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension LintRule {
    /// I-15, I-17, I-18.
    static let nameNotLast = LintRule(
        id: "name-not-last", severity: .error, title: "__name__ out of place",
        explanation: """
            Every index ends in "__name__", the document's name: last, or just before a vector field. It is ordered, stands \
            there once, and may be left out, in which case it takes the direction of the last field. To order by name, or \
            to change its direction, write it last with the "order" that you want.
            """,
        in: [.standard],
        check: { tree, report in
            for index in tree.indexes {
                guard let names = namePositions(index), !names.isEmpty else { continue }
                let last = index.fields.count - 1
                let place = index.fields[last].mode?.isVector == true ? last - 1 : last
                for position in names {
                    let field = index.fields[position]
                    let offset = field.pathNode?.offset ?? field.node.offset
                    if position != place, !isNameAfterVector(position, index) {
                        report(
                            offset,
                            names.count > 1
                                ? "\"__name__\" is here more than once: keep the last"
                                : "\"__name__\" must be the last field: move it there, or leave it out")
                    } else if let mode = field.mode, mode.direction == nil {
                        report(offset, "\"__name__\" is ordered: give it \"order\" and nothing else")
                    }
                }
            }
        })

    private static func namePositions(_ index: IndexEntry) -> [Int]? {
        index.fields.indices.filter { index.fields[$0].isDocumentName }
    }

    /// Whether `vector-not-last` reports it.
    private static func isNameAfterVector(_ position: Int, _ index: IndexEntry) -> Bool {
        position > 0 && position == index.fields.count - 1 && index.fields[position - 1].mode?.isVector == true
    }

    /// I-17.
    static let ambiguousNameDirection = LintRule(
        id: "ambiguous-name-direction", severity: .warning, title: "direction of __name__ left open",
        explanation: """
            Where the last field is an array or vector field and an earlier one is descending, a "__name__" that is left \
            out is ascending by the rule of production and descending by the rule of the official tool, which may then see \
            a difference that is none, or create the other index. Write "__name__" with its order.
            """,
        in: [.standard],
        check: { tree, report in
            for index in tree.indexes {
                guard let backend = index.definition,
                    let tool = index.officialToolDefinition,
                    backend.nameDirection != tool.nameDirection, let last = index.fields.last
                else { continue }
                report(
                    last.node.offset,
                    "production makes \"__name__\" ascending here, the official tool descending: add "
                        + "{\"fieldPath\": \"__name__\", \"order\": …} with the direction that your queries need")
            }
        })

    /// I-6.
    static let uselessNameIndex = LintRule(
        id: "useless-name-index", severity: .warning, title: "index on __name__ ascending",
        explanation: """
            Documents are kept in ascending order of their names, so queries in that order need no index. Only descending \
            order needs one, on "__name__" alone.
            """,
        in: [.standard],
        check: { tree, report in
            for entry in tree.indexes {
                guard let definition = entry.definition, definition.fields.isEmpty,
                    definition.nameDirection == .ascending
                else { continue }
                report(
                    entry.node.offset,
                    "documents are in ascending order of names anyway: remove this entry, or make it DESCENDING")
            }
        })
}
