// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// Queries inside requests of the API, as programs and audit logs have them.
enum RequestBody {
    /// The object with the query: the line itself, the request in an entry of an audit log, or the target of a listener.
    /// Names of another database become names of this one, because only their paths matter.
    static func query(in node: JSONNode, for database: DatabaseID) -> JSONNode {
        let payload = node["protoPayload"] ?? node["jsonPayload"] ?? node
        let request = payload["request"] ?? payload
        let query = request["addTarget"]?["query"] ?? request
        guard let parent = query["parent"]?.string, let root = root(of: parent) else { return query }
        let own = "\(database.resourceName)/documents"
        return root == own ? query : renamed(query, root, own)
    }

    /// `projects/P/databases/D/documents` of a full name.
    private static func root(of name: String) -> String? {
        let segments = name.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count >= 5, segments[0] == "projects", segments[2] == "databases", segments[4] == "documents"
        else {
            return nil
        }
        return segments.prefix(5).joined(separator: "/")
    }

    private static func renamed(_ node: JSONNode, _ root: String, _ own: String) -> JSONNode {
        var result = node
        switch node.value {
        case .string(let text):
            guard text == root || text.hasPrefix(root + "/") else { return node }
            result.value = .string(own + text.dropFirst(root.count))
        case .array(let elements): result.value = .array(elements.map { renamed($0, root, own) })
        case .object(let members):
            result.value = .object(
                members.map { member in
                    var member = member
                    member.node = renamed(member.node, root, own)
                    return member
                })
        default: break
        }
        return result
    }
}
