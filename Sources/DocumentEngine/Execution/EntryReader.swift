// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB
internal import QueryPlanner

/// Decodes the index entries of one scan. An entry's *suffix* is its key after the equality prefix: the remaining
/// fields and the document's name.
///
/// A copy costs one reference, which is the scan's.
struct EntryReader {
    let scan: IndexScan
    /// How the keys of the scanned collection's documents begin; nil in group scope.
    let keyStart: OrderedInteger.Encoding?
    /// Whether a residual filter may reject entries.
    let hasResidualFilter: Bool
    let isNameDescending: Bool

    /// - Parameter collectionID: the ID of the scanned collection; nil in group scope.
    init(_ scan: IndexScan, collectionID: UInt64?) {
        self.scan = scan
        keyStart = collectionID.map { OrderedInteger.Encoding($0) }
        isNameDescending = EntryReader.isDescending(scan.suffix[scan.suffix.count - 1])
        hasResidualFilter = scan.suffix.contains { $0.allowed != nil }
    }

    var isGroup: Bool { keyStart == nil }

    /// Nil in group scope.
    var collection: CollectionPath? { scan.scope.collection }

    /// The offset of a part of the suffix.
    func start(of part: Int, in suffix: RawSpan) throws(EngineError) -> Int {
        if part == 0 { return 0 }
        var reader = KeyReader(suffix)
        do throws(StoredFormatError) {
            for index in 0..<part {
                try reader.skipValue(descending: EntryReader.isDescending(scan.suffix[index]))
            }
        } catch {
            throw EngineError(error)
        }
        return reader.offset
    }

    // A comparison by `==` would call the witness of another module.
    @inline(__always)
    private static func isDescending(_ part: SuffixPart) -> Bool {
        if case .descending = part.storedDirection { true } else { false }
    }

    /// Whether every inequality on a part after the first holds (I-29).
    func isAllowed(_ suffix: RawSpan) throws(EngineError) -> Bool { try nextAllowed(suffix) == nil }

    /// Nil if every inequality on a part after the first holds. Otherwise a bound of the next entries that may be
    /// allowed: forwards, they are at or after these bytes; backwards, before them.
    func nextAllowed(_ suffix: RawSpan) throws(EngineError) -> [UInt8]? {
        var reader = KeyReader(suffix)
        for part in scan.suffix {
            let start = reader.offset
            let isName = part.path.isDocumentName
            do throws(StoredFormatError) {
                if !isName { try reader.skipValue(descending: part.storedDirection == .descending) }
            } catch {
                throw EngineError(error)
            }
            guard let allowed = part.allowed else { continue }
            let bytes = suffix.extracting(start..<(isName ? suffix.byteCount : reader.offset))
            guard allowed.contains(where: { $0.contains(bytes) }) else {
                return next(after: bytes, behind: [UInt8](copying: suffix.extracting(0..<start)), allowed)
            }
        }
        return nil
    }

    /// The nearest allowed bytes of a part, appended to the parts before it. If there are none, the end of the entries
    /// with those parts.
    private func next(after bytes: RawSpan, behind leading: [UInt8], _ allowed: [KeyRange]) -> [UInt8] {
        if scan.backwards {
            let range = allowed.last { !$0.upper.isEmpty && compareBytes(bytes, $0.upper.span.bytes) >= 0 }
            return leading + (range?.upper ?? [])
        }
        guard let range = allowed.first(where: { compareBytes(bytes, $0.lower.span.bytes) < 0 }) else {
            return KeyRange.successor(of: leading)
        }
        return leading + range.lower
    }

    /// The name at the end of an entry, in ascending bytes.
    func name(_ suffix: RawSpan) throws(EngineError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(copying: try storedName(in: suffix), complemented: isNameDescending)
        return bytes
    }

    /// The name at the end of an entry, as it is stored.
    @_lifetime(copy suffix)
    func storedName(in suffix: RawSpan) throws(EngineError) -> RawSpan {
        let start = try start(of: scan.suffix.count - 1, in: suffix)
        return start == 0 ? suffix : suffix.extracting(start..<suffix.byteCount)
    }

    func appendDocumentKey(to key: inout [UInt8], suffix: RawSpan, value: RawSpan) throws(EngineError) {
        let name = try storedName(in: suffix)
        if let keyStart {
            key.append(copying: keyStart.bytes)
            return key.append(copying: name, complemented: isNameDescending)
        }
        OrderedInteger.append(try OrderedInteger.read(value), to: &key)
        key.append(copying: name.extracting(try idRange(in: name)), complemented: isNameDescending)
    }

    /// Where the document's ID is in the name of an entry in group scope, as it is stored.
    func idRange(in name: RawSpan) throws(EngineError) -> Range<Int> {
        guard let (start, count) = KeyReader.lastSegment(of: name, descending: isNameDescending), count % 2 == 0 else {
            throw .namesNoDocument
        }
        return start..<name.byteCount - 1
    }

    func path(_ suffix: RawSpan) throws(EngineError) -> DocumentPath {
        let name = try name(suffix)
        var reader = KeyReader(name.span.bytes)
        do throws(StoredFormatError) {
            if let collection { return collection.document(try reader.segment()) }
            let path = try reader.path()
            guard path.count % 2 == 0, !path.isEmpty else {
                throw StoredFormatError("an index entry names no document")
            }
            return DocumentPath(path)
        } catch {
            throw EngineError(error)
        }
    }

    /// Appends the bytes of some parts, complemented if the scan runs backwards.
    private func append(
        _ parts: Range<Int>, of suffix: RawSpan, to key: inout [UInt8]
    ) throws(EngineError) {
        let start = try start(of: parts.lowerBound, in: suffix)
        let end =
            parts.upperBound == scan.suffix.count ? suffix.byteCount : try self.start(of: parts.upperBound, in: suffix)
        key.append(copying: suffix.extracting(start..<end), complemented: scan.backwards)
    }

    /// Appends the row's sort key, which compares as the query orders.
    func appendSortKey(_ parts: [SortKeyPart], suffix: RawSpan, to key: inout [UInt8]) throws(EngineError) {
        var next = 0
        while next < parts.count {
            switch parts[next] {
            case .constant(let bytes):
                key += bytes
                next += 1
            case .suffix(let first):
                // Copies parts that are adjacent in the entry together. Usually those are all parts.
                var end = first
                while next < parts.count, case .suffix(end) = parts[next] {
                    end += 1
                    next += 1
                }
                try append(first..<end, of: suffix, to: &key)
            }
        }
    }

    static func fields(of index: IndexReference) -> [IndexField] {
        switch index {
        case .composite(let definition): definition.fields
        case .automatic(_, let path, let index):
            [IndexField(path, index.mode == .contains ? .contains : .order(.ascending))]
        }
    }
}
