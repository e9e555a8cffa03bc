// SPDX-License-Identifier: Apache-2.0

internal import CRaw

/// The limit: a C program over a copy of Hearth's file. What is looked up once, as the numbers of indexes, is not timed.
final class RawEngine: ReadEngine {
    let name = "raw LMDB"
    private let raw: OpaquePointer
    private let dataset: Dataset
    /// The document keys of the collection begin with it; empty for a group.
    private let collection: [UInt8]

    /// - Parameter sharesFile: reads the very file that Hearth has open, without locks, while nobody writes.
    init(_ dataset: Dataset, at path: String, sharesFile: Bool = false) {
        self.dataset = dataset
        raw = craw_open(path, sharesFile ? 1 : 0)
        var key = craw_key()
        craw_key_byte(&key, 2)
        key.append(id: dataset.collection)
        craw_key_byte(&key, 0)
        let number = craw_catalog(raw, &key)
        var bytes = craw_key()
        if !dataset.isGroup { craw_key_number(&bytes, number) }
        collection = bytes.array
    }

    deinit {
        craw_close(raw)
    }

    func prepare(_ operation: Operation) throws -> ((_ parameters: Int, _ answer: inout Answer) throws -> Void)? {
        let parameters = operation.parameters
        var delivered = craw_answer()
        if case .point = operation.kind {
            return { [self] index, answer in
                var key = craw_key()
                key.append(collection)
                key.append(id: parameters[index][0].text)
                var value: Int64 = 0
                var field = operation.uses
                guard field.withUTF8({ craw_point(raw, &key, $0.chars, $0.count, &value) }) != 0 else { return }
                answer.count += 1
                answer.sum += value
                if answer.keepsIDs { answer.ids.append(parameters[index][0].text) }
            }
        }
        guard let shape = RawShape(operation, dataset, collection: collection, raw) else { return nil }
        return { [self] index, answer in
            var field = operation.uses
            field.withUTF8 { field in
                var scans = shape.scans(parameters[index])
                for index in scans.indices {
                    scans[index].field = field.chars
                    scans[index].field_count = field.count
                }
                switch operation.kind {
                case .count: answer.count += craw_count(raw, &scans[0])
                case .sum: answer.sum += craw_sum(raw, &scans[0])
                case .point, .documents:
                    delivered.count = 0
                    delivered.sum = 0
                    delivered.used = 0
                    if scans.count == 1 {
                        craw_documents(raw, &scans[0], &delivered)
                    } else if shape.isMerge {
                        craw_merge(raw, &scans, Int32(scans.count), &delivered)
                    } else {
                        craw_join(raw, &scans, Int32(scans.count), &delivered)
                    }
                    answer.count += delivered.count
                    answer.sum += delivered.sum
                    if answer.keepsIDs { answer.ids += delivered.ids }
                }
            }
        }
    }
}

/// How an operation reads Hearth's keys.
private struct RawShape {
    private struct Index {
        let store: Int32
        let prefix: craw_key
        /// Of each value bound by a filter: whether it stands complemented.
        let complements: [Bool]
    }

    private let operation: Operation
    private let collection: [UInt8]
    private var indexes: [Index] = []
    /// Values in the keys after the prefix.
    private var values: Int32 = 0
    private var complemented = false
    private var backwards = false
    private(set) var isMerge = false

    init?(_ operation: Operation, _ dataset: Dataset, collection: [UInt8], _ raw: OpaquePointer) {
        self.operation = operation
        self.collection = collection
        let bound = operation.filters.filter { if case .atLeast = $0.comparison { false } else { true } }
        isMerge = bound.contains { if case .among = $0.comparison { true } else { false } }
        if let order = operation.order.first, !bound.isEmpty {
            let fields = bound.map(\.field) + [order.field]
            guard let number = dataset.composites.firstIndex(where: { $0.map(\.field) == fields }) else { return nil }
            var prefix = craw_key()
            craw_key_number(&prefix, UInt64(number + 1))
            craw_key_byte(&prefix, dataset.isGroup ? 1 : 0)
            prefix.append(collection)
            let stored = dataset.composites[number]
            indexes = [Index(store: 1, prefix: prefix, complements: stored.dropLast().map(\.descending))]
            complemented = stored.last?.descending == true
            backwards = stored.last?.descending != order.descending
            values = 1
            return
        }
        let fields = operation.order.first.map { [$0.field] } ?? bound.map(\.field)
        backwards = operation.order.first?.descending == true
        values = operation.order.isEmpty ? 0 : 1
        if case .sum(let field) = operation.kind {
            guard bound.isEmpty else { return nil }
            indexes = [RawShape.automatic(field, isArray: false, dataset, collection, raw)]
            return
        }
        indexes = fields.map { RawShape.automatic($0, isArray: dataset.arrays.contains($0), dataset, collection, raw) }
    }

    private static func automatic(
        _ field: String, isArray: Bool, _ dataset: Dataset, _ collection: [UInt8], _ raw: OpaquePointer
    ) -> Index {
        var key = craw_key()
        craw_key_byte(&key, 4)
        key.append(id: dataset.collection)
        craw_key_byte(&key, dataset.isGroup ? 1 : 0)
        craw_key_byte(&key, isArray ? 1 : 0)
        key.append(.string(field))
        craw_key_byte(&key, 0)
        var prefix = craw_key()
        craw_key_number(&prefix, craw_catalog(raw, &key))
        prefix.append(collection)
        return Index(store: 0, prefix: prefix, complements: [false])
    }

    /// One scan; several where lists are joined or merged.
    func scans(_ parameters: [Plain]) -> [craw_scan] {
        var scans: [craw_scan] = []
        if isMerge {
            for parameter in parameters { scans.append(scan(indexes[0], [parameter], from: nil)) }
        } else if indexes.count > 1 {
            for (index, parameter) in zip(indexes, parameters) { scans.append(scan(index, [parameter], from: nil)) }
        } else if values == 1, indexes[0].store == 0 {
            scans.append(scan(indexes[0], [], from: parameters.first))
        } else {
            let bound = operation.startsAfter ? parameters.dropLast() : parameters[...]
            scans.append(scan(indexes[0], Array(bound), from: operation.startsAfter ? parameters.last : nil))
        }
        return scans
    }

    private func scan(_ index: Index, _ bound: [Plain], from: Plain?) -> craw_scan {
        var scan = craw_scan()
        scan.store = index.store
        scan.prefix = index.prefix
        for (place, value) in bound.enumerated() {
            let start = scan.prefix.count
            scan.prefix.append(value)
            if index.complements[place] { craw_key_complement(&scan.prefix, start) }
        }
        if let from {
            scan.from = scan.prefix
            if operation.order.isEmpty { scan.from.append(id: from.text) } else { scan.from.append(from) }
            // No key is a prefix of another: one byte more is past the place itself.
            if operation.startsAfter { craw_key_byte(&scan.from, operation.order.isEmpty ? 1 : 0xFF) }
        }
        scan.backwards = backwards ? 1 : 0
        scan.limit = Int64(operation.limit ?? .max)
        scan.values = values
        scan.complemented = complemented ? 1 : 0
        withUnsafeMutableBytes(of: &scan.collection) { $0.copyBytes(from: collection) }
        scan.collection_count = collection.count
        return scan
    }
}

extension craw_key {
    mutating func append(_ bytes: [UInt8]) {
        for byte in bytes { craw_key_byte(&self, byte) }
    }

    mutating func append(id: String) {
        var id = id
        id.withUTF8 { craw_key_id(&self, $0.chars, $0.count) }
    }

    mutating func append(_ value: Plain) {
        switch value {
        case .boolean(let flag): craw_key_byte(&self, flag ? 0x0B : 0x0A)
        case .integer(let number): craw_key_integer(&self, number)
        case .time(let microseconds): craw_key_time(&self, microseconds)
        default:
            var text = value.text
            text.withUTF8 { craw_key_string(&self, $0.chars, $0.count) }
        }
    }

    var array: [UInt8] { withUnsafeBytes(of: bytes) { Array($0.prefix(count)) } }
}

extension Plain {
    /// The text of a string; empty for anything else.
    var text: String {
        if case .string(let text) = self { text } else { "" }
    }
}

extension UnsafeBufferPointer<UInt8> {
    var chars: UnsafePointer<CChar>? { UnsafeRawPointer(baseAddress)?.assumingMemoryBound(to: CChar.self) }
}

extension craw_answer {
    /// The IDs of the rows delivered, without their escapes, which the benchmarks' IDs do not need.
    fileprivate var ids: [String] {
        var ids: [String] = []
        var at = 0
        while at < used, let rows {
            let idCount = Int(UnsafeRawPointer(rows + at).loadUnaligned(as: UInt16.self))
            ids.append(String(decoding: UnsafeBufferPointer(start: rows + at + 2, count: idCount - 1), as: UTF8.self))
            at += 2 + idCount
            at += 4 + Int(UnsafeRawPointer(rows + at).loadUnaligned(as: UInt32.self))
        }
        return ids
    }
}
