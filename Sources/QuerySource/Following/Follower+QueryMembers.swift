// SPDX-License-Identifier: Apache-2.0

/// Methods and properties of queries, of the libraries and of extensions that other files define.
extension Follower {
    /// Properties of queries, collections and what these give that are no queries.
    private static let otherMembers: Set<String> = [
        "id", "path", "parent", "firestore", "parameters", "collectionID", "collectionId", "hashCode", "runtimeType",
        "docs", "documents", "first", "last", "length", "size", "isEmpty", "isNotEmpty", "data", "reference",
    ]

    mutating func memberOfQuery(_ shape: QueryShape, _ name: String, _ offset: Int, _ isCut: Bool) -> Known {
        switch name {
        case "Query", "query", "ref": return .query(shape)
        case "count" where language.name == "swift": return .query(shape)
        case "snapshots" where language.name == "swift":
            run(.query(shape), offset, isCut)
            return .result
        default: break
        }
        let unknown = Known.unknown(Unknown(what: "the member '\(name)' of a query"))
        let isOther = Follower.otherMembers.contains(name) || language.calls[name] != nil
        guard language.hasExtensionProperties, !isOther, shape.isConstrained || hints.isAboutFirestore else {
            return unknown
        }
        guard shape.isTentative else { return extended(shape, name, offset) }
        return shape.problem == nil ? unknown : .query(shape)
    }

    /// A query with what an extension adds to it. Of a collection it may give anything.
    private mutating func extended(_ shape: QueryShape, _ name: String, _ offset: Int) -> Known {
        var failed = shape
        failed.isTentative = !shape.isConstrained
        failed.fail("'\(name)' is no call of a library for Firestore", at: step(offset))
        sites.noteExtended(shape, function, offset)
        return .query(failed)
    }

    /// Methods of queries and collections that give no query.
    private static let otherMethods: Set<String> = [
        "then", "catch", "finally", "toString", "isEqual", "hashCode", "path", "isEqualTo", "add", "addDocument",
        "AddAsync",
        "set", "update", "delete", "listDocuments", "list_documents", "ListDocumentsAsync", "newDocument",
    ]

    /// An order or a limit of something unknown is that of a query if a call of the library runs it. Other libraries have
    /// methods of these names. So it is with what a function of another file gives that gets a query.
    mutating func methodOfTentative(
        _ shape: QueryShape, _ call: Call?, _ name: String, _ given: GivenArguments, _ offset: Int, _ isCut: Bool
    ) -> [Known] {
        var shape = shape
        switch call {
        case .run:
            // It is a field of a document.
            if case .text? = given.positional.first { return [.result] }
            run(.query(shape), offset, isCut)
            return [.result]
        case .document: return [.document(nil)]
        case .collection: return [SourcePath.joined(nil, given.positional)]
        case .collectionGroup: return [source(.collectionGroup, given, offset)]
        case .neutral, .cursor, .select, .offset: return queries(.query(shape), call ?? .neutral, name, given, offset)
        case let call?:
            let reader = PartReader(language)
            shape.isTentative = !reader.isTelling(call, given)
            let isKept = shape.problem != nil && call != .append && call != .parent
            guard !shape.isTentative || isKept || reader.isTentative(call, given) else { break }
            return queries(.query(shape), call, name, given, offset)
        case nil: break
        }
        for value in given.all { sites.noteUnused(value.value, function, at: offset) }
        // Extensions add to what extensions give.
        if call == nil, shape.problem != nil, !Follower.otherMethods.contains(name) { return [.query(shape)] }
        return [.unknown(Unknown(what: "what '\(name)' gives"))]
    }

    mutating func methodOfQuery(
        _ shape: QueryShape, _ call: Call?, _ name: String, _ given: GivenArguments, _ offset: Int, _ isCut: Bool
    ) -> [Known] {
        guard let call else {
            guard shape.isConstrained || hints.isAboutFirestore, !Follower.otherMethods.contains(name) else {
                return [.result]
            }
            return [extended(shape, name, offset)]
        }
        switch call {
        case .run:
            run(.query(shape), offset, isCut)
            return [.result]
        case .document: return [SourcePath.document(of: shape, given)]
        case .append, .collection, .collectionGroup, .parent: return [.result]
        case .neutral: return [.query(shape)]
        default: return queries(.query(shape), call, name, given, offset)
        }
    }
}
