// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

extension LintRule {
    static let timeToLiveFieldIndexed = LintRule(
        id: "ttl-field-indexed", severity: .warning, title: "TTL field is indexed",
        explanation: """
            The timestamps of a TTL field mostly grow with time, so that all writes go to one end of its indexes; in \
            production that limits a collection to some 500 writes a second. Unless queries filter or sort by the field, \
            give it "indexes": [].
            """,
        in: [.standard],
        check: { tree, report in
            for entry in tree.fieldOverrides {
                guard let timeToLive = entry.timeToLiveNode, timeToLive.boolean == true, !entry.indexes.isEmpty else {
                    continue
                }
                report(
                    entry.indexesNode?.offset ?? entry.node.offset,
                    "the expiry time grows steadily, and indexing it limits the rate of writes: use \"indexes\": [] unless "
                        + "queries need them")
            }
        })

    static let multipleTimeToLiveFields = LintRule(
        id: "multiple-ttl-fields", severity: .error, title: "more than one TTL field in a collection group",
        explanation: """
            A collection group has at most one TTL field; production refuses to switch on a second one. Keep one, and set \
            "ttl": false on the others.
            """,
        check: { tree, report in
            var first: [Text: Int] = [:]
            for entry in tree.fieldOverrides {
                guard let timeToLive = entry.timeToLiveNode, timeToLive.boolean == true,
                    let group = entry.collectionGroup
                else { continue }
                if let earlier = first[group] {
                    report(
                        timeToLive.offset,
                        "\(quoted(group.string)) has a TTL field at line \(tree.line(of: earlier)) already: keep one of them"
                    )
                } else {
                    first[group] = timeToLive.offset
                }
            }
        })
}
