// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

extension LintRule {
    /// I-16. The same path in two modes is legal.
    static let repeatedField = LintRule(
        id: "repeated-field", severity: .warning, title: "field twice in one mode",
        explanation: """
            A field that is twice in an index in the same mode adds nothing but size. It may be there in two modes: \
            once as an array and once ordered, or once ascending and once descending.
            """,
        check: { tree, report in
            for index in tree.indexes {
                var seen: [IndexField: Int] = [:]
                for entry in index.fields where !entry.isDocumentName {
                    guard let field = entry.field else { continue }
                    if let first = seen[field] {
                        report(
                            entry.pathNode?.offset ?? entry.node.offset,
                            "\(quoted(field.path.wire)) is already at line \(tree.line(of: first)) in the same mode: "
                                + "remove one of them")
                    } else {
                        seen[field] = entry.node.offset
                    }
                }
            }
        })

    /// I-16.
    static let multipleArrayFields = LintRule(
        id: "multiple-array-fields", severity: .error, title: "more than one array field",
        explanation: """
            An index has at most one field with "arrayConfig", since a document would have an entry for every combination \
            of elements; production refuses a second one. Queries have at most one array-contains or array-contains-any \
            filter, so no query needs such an index.
            """,
        in: [.standard],
        check: { tree, report in
            for index in tree.indexes {
                for field in index.fields.lazy.filter({ $0.mode == .contains }).dropFirst() {
                    report(
                        field.modeNode?.offset ?? field.node.offset,
                        "an index has at most one array field, and this is another: make an index for each")
                }
            }
        })

    /// I-18, I-59.
    static let vectorNotLast = LintRule(
        id: "vector-not-last", severity: .error, title: "vector field out of place",
        explanation: """
            An index has at most one vector field, and it is the last: the fields that a search filters by come first, then \
            "__name__" if it is written, then the vector.
            """,
        check: { tree, report in
            for index in tree.indexes {
                for field in index.fields.dropLast() where field.mode?.isVector == true {
                    report(
                        field.pathNode?.offset ?? field.node.offset,
                        "a vector field must be the last field, after \"__name__\" too: move it there")
                }
            }
        })

    static let vectorDimension = LintRule(
        id: "vector-dimension", severity: .error, title: "dimension out of range",
        explanation: """
            The dimension of a vector field is a whole number from 1 to 2048, and must be that of the vectors that are \
            stored: documents with vectors of another length are not in the index.
            """,
        check: { tree, report in
            for field in tree.indexes.lazy.flatMap(\.fields) {
                guard let node = field.node.present("vectorConfig")?["dimension"], let number = node.number,
                    VectorLimits.dimension(number) == nil
                else { continue }
                report(node.offset, "a dimension is a whole number from 1 to \(VectorLimits.maximumDimension)")
            }
        })
}

enum VectorLimits {
    static let maximumDimension = 2048

    /// Nil if the number is not a valid dimension.
    static func dimension(_ number: JSONNumber) -> Int? {
        Int(exactly: number.double).flatMap { (1...maximumDimension).contains($0) ? $0 : nil }
    }
}
