// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import QueryPlanner
import TestSupport

/// A full copy of a database after each commit, as the model of its history.
struct PastModel {
    struct State {
        let time: Timestamp
        let documents: [DocumentPath: Document]

        var fields: [DocumentPath: Fields] { documents.mapValues(\.fields) }
    }

    private(set) var states: [State]

    init(_ engine: Engine) throws {
        states = [State(time: try engine.readTime(), documents: try PastModel.documents(of: engine))]
    }

    static func documents(of engine: Engine) throws -> [DocumentPath: Document] {
        var documents: [DocumentPath: Document] = [:]
        try engine.forEachDocument { (document) in documents[document.path] = document }
        return documents
    }

    static func documents(
        of engine: Engine, named names: some Sequence<DocumentPath>, at time: Timestamp
    ) throws -> [DocumentRecord] {
        try engine.records(Array(names), at: time).compactMap(\.self)
    }

    /// The last state.
    var present: State { states[states.count - 1] }

    /// After a commit at this time.
    mutating func append(_ engine: Engine, at time: Timestamp) throws {
        states.append(State(time: time, documents: try PastModel.documents(of: engine)))
    }

    /// After a commit that set some documents, or deleted those with nil.
    mutating func append(_ changes: [(DocumentPath, Fields?)], at time: Timestamp) {
        var documents = present.documents
        for (path, fields) in changes {
            let old = documents[path]
            if let old, let fields, old.fields.isIdentical(to: fields) { continue }
            documents[path] = fields.map {
                Document(path: path, fields: $0, createTime: old?.createTime ?? time, updateTime: time)
            }
        }
        states.append(State(time: time, documents: documents))
    }

    func state(at time: Timestamp) -> State { states.last { $0.time <= time } ?? states[0] }

    /// The first and the last time of each state, with the state.
    var probes: [(time: Timestamp, state: State)] {
        states.indices.flatMap { index -> [(Timestamp, State)] in
            let state = states[index]
            guard index + 1 < states.count else { return [(state.time, state)] }
            let last = Timestamp(microseconds: states[index + 1].time.microseconds - 1)!
            return [(state.time, state), (last, state)]
        }
    }

    /// The names in a collection, or in all collections under a parent, with those that only have documents below.
    static func names(in scope: DocumentScope, _ state: State) -> [(path: DocumentPath, exists: Bool)] {
        let parent: [Text]
        let collection: CollectionPath?
        switch scope {
        case .collection(let path): (parent, collection) = (Array(path.resource.segments.dropLast()), path)
        case .children(let of): (parent, collection) = (of?.resource.segments ?? [], nil)
        default: preconditionFailure("not a list")
        }
        var names: Set<DocumentPath> = []
        for path in state.documents.keys {
            let segments = path.resource.segments
            guard segments.count >= parent.count + 2, Array(segments.prefix(parent.count)) == parent else { continue }
            let name = DocumentPath(ResourcePath(segments: Array(segments.prefix(parent.count + 2))))
            if collection == nil || name.collection == collection { names.insert(name) }
        }
        return names.sorted { NaiveOrder.compare($0.resource, $1.resource) < 0 }
            .map { ($0, state.documents[$0] != nil) }
    }

    static func collectionIDs(under parent: DocumentPath?, _ state: State) -> [Text] {
        let parent = parent?.resource.segments ?? []
        var ids: Set<Text> = []
        for path in state.documents.keys {
            let segments = path.resource.segments
            if segments.count > parent.count, Array(segments.prefix(parent.count)) == parent {
                ids.insert(segments[parent.count])
            }
        }
        return ids.sorted { NaiveOrder.compare(ResourcePath(segments: [$0]), ResourcePath(segments: [$1])) < 0 }
    }
}
