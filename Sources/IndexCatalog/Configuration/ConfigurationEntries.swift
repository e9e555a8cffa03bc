// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// An element of `indexes`, read as the official tool reads it (J-9, J-10). Unreadable parts are nil, and a rule
/// reports them.
struct IndexEntry {
    let node: JSONNode
    let collectionGroup: Text?
    let scope: QueryScope?
    let fieldsNode: JSONNode?
    let fields: [FieldEntry]
    /// The fields as listed; nil if one is unreadable or there are none.
    let listedFields: [IndexField]?
    /// With `__name__` added by the backend's rule.
    let definition: IndexDefinition?
    /// With `__name__` added by the official tool's rule.
    let officialToolDefinition: IndexDefinition?

    init(_ node: JSONNode) {
        self.node = node
        collectionGroup = (node.present("collectionGroup") ?? node.present("collectionId"))?.string.map { Text($0) }
        scope = node.present("queryScope").map { $0.string.flatMap(QueryScope.init(wireName:)) } ?? .collection
        fieldsNode = node["fields"]
        fields = fieldsNode?.elements?.map(FieldEntry.init) ?? []
        let readable = fields.compactMap(\.field)
        listedFields = readable.isEmpty || readable.count < fields.count ? nil : readable
        definition = IndexEntry.definition(collectionGroup, scope, listedFields, .backend)
        officialToolDefinition = IndexEntry.definition(collectionGroup, scope, listedFields, .officialTool)
    }

    private static func definition(
        _ collectionGroup: Text?, _ scope: QueryScope?, _ listedFields: [IndexField]?, _ rule: NameDirectionRule
    ) -> IndexDefinition? {
        guard let collectionGroup, let scope, let listedFields else { return nil }
        return IndexDefinition(
            collectionGroup: collectionGroup, scope: scope, listedFields: listedFields, appendingNameBy: rule)
    }
}

/// An element of an index's `fields`.
struct FieldEntry {
    let node: JSONNode
    let pathNode: JSONNode?
    let path: FieldPath?
    /// The value of `order`, `arrayConfig`, `vectorConfig` or the legacy `mode`.
    let modeNode: JSONNode?
    let mode: IndexFieldMode?

    init(_ node: JSONNode) {
        self.node = node
        pathNode = node.present("fieldPath")
        path = pathNode?.string.flatMap(FieldPath.init(indexable:))
        if let order = node.present("order") {
            modeNode = order
            mode = order.string.flatMap(Direction.init(wireName:)).map { .order($0) }
        } else if let arrayConfig = node.present("arrayConfig") {
            modeNode = arrayConfig
            mode = arrayConfig.string == "CONTAINS" ? .contains : nil
        } else if let vector = node.present("vectorConfig") {
            modeNode = vector
            mode = vector["dimension"]?.number.flatMap(VectorLimits.dimension).map { .vector(dimension: $0) }
        } else if let search = node.present("searchConfig") {
            modeNode = search
            mode = nil
        } else {
            modeNode = node.present("mode")
            let legacy = modeNode?.string
            mode = legacy == "ARRAY_CONTAINS" ? .contains : legacy.flatMap(Direction.init(wireName:)).map { .order($0) }
        }
    }

    var field: IndexField? {
        guard let path, let mode else { return nil }
        return IndexField(path, mode)
    }

    var isDocumentName: Bool { path?.isDocumentName == true }
}

/// An element of `fieldOverrides` (J-4).
struct OverrideEntry {
    enum Target: Hashable {
        case everyField
        case path(FieldPath)
    }

    let node: JSONNode
    let collectionGroup: Text?
    let pathNode: JSONNode?
    let target: Target?
    let timeToLiveNode: JSONNode?
    let indexesNode: JSONNode?
    let indexes: [OverrideIndexEntry]

    init(_ node: JSONNode) {
        self.node = node
        collectionGroup = node.present("collectionGroup")?.string.map { Text($0) }
        pathNode = node.present("fieldPath")
        target = pathNode?.string.flatMap { wire in
            wire == "*" ? .everyField : FieldPath(indexable: wire).map { .path($0) }
        }
        timeToLiveNode = node["ttl"]
        indexesNode = node["indexes"]
        indexes = indexesNode?.elements?.map(OverrideIndexEntry.init) ?? []
    }

    /// Nil if a part of it is unreadable.
    var fieldOverride: FieldOverride? {
        guard let collectionGroup, let target, indexesNode?.elements != nil else { return nil }
        let readable = indexes.compactMap(\.index)
        guard readable.count == indexes.count else { return nil }
        let path: FieldPath? = if case .path(let path) = target { path } else { nil }
        return FieldOverride(
            collectionGroup: collectionGroup, path: path, indexes: Set(readable), timeToLive: timeToLiveNode?.boolean)
    }
}

/// An element of an override's `indexes`.
struct OverrideIndexEntry {
    let node: JSONNode
    let index: SingleFieldIndex?

    init(_ node: JSONNode) {
        self.node = node
        let order = node.present("order")
        let contains = node.present("arrayConfig")
        let mode: SingleFieldIndex.Mode? =
            switch (order?.string.flatMap(Direction.init(wireName:)), contains?.string == "CONTAINS") {
            case (.ascending?, false): .ascending
            case (.descending?, false): .descending
            case (nil, true): order == nil ? .contains : nil
            default: nil
            }
        let scope = node.present("queryScope")?.string.flatMap(QueryScope.init(wireName:))
        index = if let mode, let scope { SingleFieldIndex(mode, scope) } else { nil }
    }
}

extension FieldPath {
    /// Nil if it is not a field path or exceeds the limits of D-8.
    fileprivate init?(indexable wire: String) {
        do {
            try self.init(wire: wire)
            try checkLimits()
        } catch {
            return nil
        }
    }
}
