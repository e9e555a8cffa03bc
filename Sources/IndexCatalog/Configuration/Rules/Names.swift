// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

extension LintRule {
    /// D-2, I-9.
    static let invalidCollectionID = LintRule(
        id: "invalid-collection-id", severity: .error, title: "not a collection ID",
        explanation: """
            "collectionGroup" is the ID of a collection, the last part of its path: for cities/SF/landmarks it is \
            landmarks. It has no slash, is at most 1,500 bytes long, is not . or .., and does not begin and end with two \
            underscores. A field override of the group "__default__" with the path "*" is the default of the whole database.
            """,
        check: { tree, report in
            for index in tree.indexes {
                guard let group = index.collectionGroup, let problem = problem(ofCollectionID: group) else { continue }
                let node = index.node.present("collectionGroup") ?? index.node.present("collectionId")
                report(node?.offset ?? index.node.offset, problem)
            }
            for override in tree.fieldOverrides {
                guard let group = override.collectionGroup, let node = override.node.present("collectionGroup") else {
                    continue
                }
                if group == FieldOverride.everyGroup {
                    if let target = override.target, target != .everyField {
                        report(
                            override.pathNode?.offset ?? node.offset,
                            "the group \"__default__\" takes only the path \"*\": name a collection, or use \"*\"")
                    }
                } else if let problem = problem(ofCollectionID: group) {
                    report(node.offset, problem)
                }
            }
        })

    private static func problem(ofCollectionID id: Text) -> String? {
        let shown = quoted(id.string)
        if id.string.utf8.contains(UInt8(ascii: "/")) {
            let last = id.string.split(separator: "/").last.map(String.init) ?? ""
            return "\(shown) is a path: a collection group is named by its last part alone, \(quoted(last))"
        }
        if id == "." || id == ".." || FieldPath.isReserved(id) {
            return "\(shown) is reserved: no collection has this ID"
        }
        if id.utf8Count > 1500 { return "a collection ID has at most 1,500 bytes, this one \(id.utf8Count)" }
        return nil
    }

    /// D-8 to D-12.
    static let invalidFieldPath = LintRule(
        id: "invalid-field-path", severity: .error, title: "not a field path",
        explanation: """
            A field path is names separated by dots. A name that is not made of letters, digits and underscores alone, or \
            begins with a digit, is put in backticks: `5`, `first-name`, address.`zip code`; inside them a backtick or \
            backslash is written \\` or \\\\. Names that begin and end with two underscores are reserved, except __name__ in \
            an index. "*" means every field, in a field override only. A path has at most 1,500 bytes.
            """,
        check: { tree, report in
            for field in tree.indexes.lazy.flatMap(\.fields) {
                guard let node = field.pathNode, let wire = node.string else { continue }
                if wire == "*" {
                    report(
                        node.offset, "\"*\" is allowed in field overrides only: name a field, or `*` if it is called so"
                    )
                } else if let problem = problem(ofPath: wire) {
                    report(node.offset, problem)
                }
            }
            for override in tree.fieldOverrides {
                guard let node = override.pathNode, let wire = node.string, wire != "*" else { continue }
                if override.target == .path(.documentName) {
                    report(node.offset, "\"__name__\" has no automatic index to override: remove this entry")
                } else if let problem = problem(ofPath: wire) {
                    report(node.offset, problem)
                }
            }
        })

    private static func problem(ofPath wire: String) -> String? {
        do {
            try FieldPath(wire: wire).checkLimits()
            return nil
        } catch {
            guard wire.utf8.count <= 1500 else { return "a field path has at most 1,500 bytes" }
            let names = wire.split(separator: ".", omittingEmptySubsequences: false)
            if names.contains(where: { FieldPath.isReserved(Text(String($0))) }) {
                return "\(quoted(wire)) holds a reserved name: names do not begin and end with two underscores"
            }
            if names.contains(where: \.isEmpty) {
                return "\(quoted(wire)) has an empty name: paths do not begin or end with a dot, nor have two in a row"
            }
            guard !wire.unicodeScalars.contains("`") else {
                return "\(quoted(wire)) is not a field path: check its backticks and backslashes"
            }
            let suggestion = FieldPath(names.map { Text(String($0)) }).wire
            return
                "\(quoted(wire)) is not a field path: names with other characters than letters, digits and _ stand in "
                + "backticks, \(quoted(suggestion))"
        }
    }
}
