// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import SyncCore

/// The key of a record: the group in which records are listed, and what tells them apart in it.
///
/// docs/format.md lists all keys. Users are key bytes of a value: null, or a string.
struct RecordKey {
    let group: [UInt8]
    let member: [UInt8]

    var bytes: [UInt8] { group + member }
    var kind: Kind { Kind(rawValue: group[0])! }

    enum Kind: UInt8 {
        case header, batch, batchOfDocument, shadow, target, canonicalTarget, key, targetOfDocument, use, useOfDocument
        case bundle, namedQuery, rejectedBatch, change, request, coveringTarget, targetUse
    }

    private init(_ group: [UInt8], _ member: [UInt8]) {
        self.group = group
        self.member = member
    }

    /// A stored key.
    init(bytes: [UInt8]) throws(ReplicaError) {
        guard let first = bytes.first, let kind = Kind(rawValue: first) else {
            throw .damaged("a record of the client's queue or cache has an unknown key")
        }
        let end = try RecordKey.groupEnd(kind, bytes)
        self.init(Array(bytes[..<end]), Array(bytes[end...]))
    }

    private static func groupEnd(_ kind: Kind, _ bytes: [UInt8]) throws(ReplicaError) -> Int {
        switch kind {
        case .header, .shadow, .target, .use, .bundle, .namedQuery, .change, .request, .targetUse: return 1
        case .key: return 1 + number(try RecordContent.number(Array(bytes[1...]))).count
        case .coveringTarget:
            guard bytes.count > 9 else { throw .damaged("a key in the list of targets is too short") }
            return 9
        case .batch, .rejectedBatch, .batchOfDocument, .canonicalTarget, .targetOfDocument, .useOfDocument: break
        }
        var reader = KeyReader(bytes.span.bytes, at: 1)
        do throws(StoredFormatError) {
            switch kind {
            case .batch, .rejectedBatch, .canonicalTarget: try reader.skipValue()
            default: _ = try reader.path()
            }
        } catch {
            throw .damaged(error.description)
        }
        return reader.offset
    }

    private static func group(_ kind: Kind, _ build: (inout KeyEncoder) -> Void = { _ in }) -> [UInt8] {
        var encoder = KeyEncoder()
        encoder.append(byte: kind.rawValue)
        build(&encoder)
        return encoder.bytes
    }

    static func number(_ number: Int) -> [UInt8] { OrderedInteger.bytes(UInt64(number)) }

    private static func bytes(_ value: Value) -> [UInt8] {
        var encoder = KeyEncoder()
        encoder.append(value)
        return encoder.bytes
    }

    private static func bytes(_ path: DocumentPath) -> [UInt8] {
        var encoder = KeyEncoder()
        encoder.append(path: path.resource)
        return encoder.bytes
    }

    static let header = RecordKey(group(.header), [])

    // MARK: The queue

    static let allBatches = group(.batch)
    static let allRejectedBatches = group(.rejectedBatch)

    static func batches(of user: SyncUser) -> [UInt8] { group(.batch) { $0.append(user.value) } }
    static func batch(_ id: Int, of user: SyncUser) -> RecordKey { RecordKey(batches(of: user), number(id)) }

    static func batches(writing path: DocumentPath) -> [UInt8] {
        group(.batchOfDocument) { $0.append(path: path.resource) }
    }
    static func batch(_ id: Int, of user: SyncUser, writing path: DocumentPath) -> RecordKey {
        RecordKey(batches(writing: path), bytes(user.value) + number(id))
    }

    /// The key of the batch that this key lists.
    static func batch(writing path: DocumentPath, listedAs key: [UInt8]) -> [UInt8] {
        allBatches + key.dropFirst(batches(writing: path).count)
    }

    static func rejectedBatches(of user: SyncUser) -> [UInt8] { group(.rejectedBatch) { $0.append(user.value) } }
    static func rejectedBatch(_ id: Int, of user: SyncUser) -> RecordKey {
        RecordKey(rejectedBatches(of: user), number(id))
    }

    // MARK: Documents

    static let shadows = group(.shadow)
    static func shadow(of path: DocumentPath) -> RecordKey { RecordKey(shadows, bytes(path)) }

    // MARK: Targets

    static let targets = group(.target)
    static func target(_ id: Int) -> RecordKey { RecordKey(targets, number(id)) }

    static func targets(_ canonicalID: String) -> [UInt8] {
        group(.canonicalTarget) { $0.append(.string(Text(canonicalID))) }
    }
    static func target(_ id: Int, _ canonicalID: String) -> RecordKey {
        RecordKey(targets(canonicalID), number(id))
    }

    static func keys(of target: Int) -> [UInt8] { group(.key) { $0.append(encoded: number(target)) } }
    static func key(_ path: DocumentPath, of target: Int) -> RecordKey { RecordKey(keys(of: target), bytes(path)) }

    static func targets(of path: DocumentPath) -> [UInt8] {
        group(.targetOfDocument) { $0.append(path: path.resource) }
    }
    static func target(_ id: Int, of path: DocumentPath) -> RecordKey { RecordKey(targets(of: path), number(id)) }

    // MARK: Targets that may cover others

    static let coveringTargets = group(.coveringTarget)
    static func coveringTargets(_ collections: UInt64) -> [UInt8] { coveringTargets + collections.bigEndianBytes }
    static func coveringTarget(_ id: Int, _ coverage: TargetCoverage) -> RecordKey {
        let filters = coverage.filters.flatMap { filter($0) }
        return RecordKey(coveringTargets(coverage.collections), filters + endOfFilters + number(id))
    }

    /// A filter in a member of such a group. The end of the filters comes before any other one.
    static func filter(_ hash: UInt64) -> [UInt8] { [1] + hash.bigEndianBytes }
    static let endOfFilters: [UInt8] = [0]

    // MARK: Last uses

    static let uses = group(.use)
    static func use(_ sequence: Int, of path: DocumentPath) -> RecordKey {
        RecordKey(uses, number(sequence) + bytes(path))
    }

    static func uses(of path: DocumentPath) -> [UInt8] { group(.useOfDocument) { $0.append(path: path.resource) } }
    static func use(of path: DocumentPath, _ sequence: Int) -> RecordKey {
        RecordKey(uses(of: path), number(sequence))
    }

    static let targetUses = group(.targetUse)
    static func use(_ sequence: Int, ofTarget id: Int) -> RecordKey {
        RecordKey(targetUses, number(sequence) + number(id))
    }

    /// By which collection finds the target; nil for a pinned one, so that no pass has to step over it.
    static func use(of target: TargetData) -> RecordKey? {
        target.isPinned ? nil : .use(target.sequence, ofTarget: target.id)
    }

    /// What a target is listed by, beside its number and its query.
    static func lists(of target: TargetData) -> [RecordKey] {
        let coverage = target.target.coverage.map { RecordKey.coveringTarget(target.id, $0) }
        return [use(of: target), coverage].compactMap { $0 }
    }

    // MARK: Bundles

    static func bundle(_ id: String) -> RecordKey { RecordKey(group(.bundle), bytes(.string(Text(id)))) }
    static func namedQuery(_ name: String) -> RecordKey { RecordKey(group(.namedQuery), bytes(.string(Text(name)))) }

    // MARK: Other clients

    static let changes = group(.change)
    static func change(_ number: Int) -> RecordKey { RecordKey(changes, self.number(number)) }

    static let requests = group(.request)
    static func request(of client: Int, _ canonicalID: String) -> RecordKey {
        RecordKey(requests, number(client) + bytes(.string(Text(canonicalID))))
    }
}

extension SyncUser {
    /// Null, or the user's name.
    var value: Value { id.map { .string(Text($0)) } ?? .null }
}
