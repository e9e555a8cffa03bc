// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
package import IndexCatalog
internal import JSONText

/// What a server's indexes lack of a configuration. What the server has besides is left as it is.
package struct IndexDifference: Sendable {
    /// A change of one field. A server makes one at a time of a field, in the order given here.
    package enum FieldChange: Sendable, Hashable {
        /// Documents do not expire by the field any more. It comes before a change of the field's indexes, as in the official
        /// tool.
        case endExpiry(FieldOverride)
        case indexes(FieldOverride)
        /// The last, so that no document expires before all are there that the program wants.
        case beginExpiry(FieldOverride)

        package var override: FieldOverride {
            switch self {
            case .endExpiry(let override), .indexes(let override), .beginExpiry(let override): override
            }
        }
    }

    package let composites: [IndexDefinition]
    package let fields: [FieldChange]

    package var isEmpty: Bool { composites.isEmpty && fields.isEmpty }

    package init(from server: IndexConfiguration, to wanted: IndexConfiguration) {
        let present = Set(server.indexes)
        var seen: Set<IndexDefinition> = []
        composites = wanted.indexes.filter { !present.contains($0) && seen.insert($0).inserted }
        var (ends, changes, begins): ([FieldChange], [FieldChange], [FieldChange]) = ([], [], [])
        for override in wanted.fieldOverrides {
            let current = server.fieldOverrides.last {
                $0.collectionGroup == override.collectionGroup && $0.path == override.path
            }
            let expires = current?.timeToLive == true
            if expires, override.timeToLive != true { ends.append(.endExpiry(override)) }
            if current?.indexes != override.indexes { changes.append(.indexes(override)) }
            if !expires, override.timeToLive == true { begins.append(.beginExpiry(override)) }
        }
        fields = ends + changes + begins
    }
}

extension IndexDifference {
    /// The request that creates a composite index.
    static func request(_ definition: IndexDefinition, _ database: DatabaseID) -> AdminRequest {
        let node = ConfigurationWriter.node(definition)
        let members = (node.members ?? []).filter { $0.key != "collectionGroup" }
        let group = encoded(definition.collectionGroup.string)
        return AdminRequest(
            .post, "\(path(database))/collectionGroups/\(group)/indexes", JSONNode(.object(members)))
    }

    static func path(_ database: DatabaseID) -> String {
        "projects/\(encoded(database.project.string))/databases/\(encoded(database.database.string))"
    }

    /// A part of a URL's path.
    static func encoded(_ text: String) -> String {
        var path = ""
        let digits = Array("0123456789ABCDEF")
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"):
                path.unicodeScalars.append(Unicode.Scalar(byte))
            default: path += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
        return path
    }
}

extension IndexDifference.FieldChange {
    func request(_ database: DatabaseID) -> AdminRequest {
        let field = override.path?.wire ?? "*"
        let path =
            "\(IndexDifference.path(database))/collectionGroups/\(IndexDifference.encoded(override.collectionGroup.string))"
            + "/fields/\(IndexDifference.encoded(field))?updateMask="
        switch self {
        case .endExpiry: return AdminRequest(.patch, path + "ttlConfig", .object([:]))
        case .beginExpiry: return AdminRequest(.patch, path + "ttlConfig", .object(["ttlConfig": .object([:])]))
        case .indexes:
            let indexes = ConfigurationWriter.node(override)["indexes"]?.elements ?? []
            let list = indexes.map { index in
                let (scope, mode) = (index["queryScope"], (index.members ?? []).filter { $0.key != "queryScope" })
                let name = JSONMember(key: "fieldPath", node: .string(field))
                return JSONNode.object([
                    "queryScope": scope ?? .string("COLLECTION"),
                    "fields": .array([JSONNode(.object([name] + mode))]),
                ])
            }
            return AdminRequest(
                .patch, path + "indexConfig", .object(["indexConfig": .object(["indexes": .array(list)])]))
        }
    }
}
