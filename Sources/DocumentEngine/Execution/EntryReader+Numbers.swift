// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB
internal import QueryPlanner

extension EntryReader {
    /// The position of a field's number: in each entry's suffix, or in the prefix that all entries share.
    struct NumberPlace {
        fileprivate let isInPrefix: Bool
        /// The number of the suffix's part, or the offset in the prefix.
        fileprivate let position: Int
        /// The field's position in the index, which is the position of its double bit.
        fileprivate let bit: Int
        fileprivate let descending: Bool
    }

    /// Nil if the index does not have the field.
    func numberPlace(of path: FieldPath) throws(EngineError) -> NumberPlace? {
        if let part = scan.suffix.dropLast().firstIndex(where: { $0.path == path }) {
            return NumberPlace(
                isInPrefix: false, position: part, bit: scan.prefixCount + part,
                descending: scan.suffix[part].storedDirection == .descending)
        }
        let fields = EntryReader.fields(of: scan.index)
        guard
            let bit = fields.prefix(scan.prefixCount).firstIndex(where: { $0.path == path && $0.mode != .contains })
        else { return nil }
        // Held here, because the reader must not outlive it.
        let prefix = scan.prefix
        var reader = KeyReader(prefix.span.bytes)
        do throws(StoredFormatError) {
            for index in 0..<bit { try reader.skipValue(descending: fields[index].mode == .order(.descending)) }
        } catch {
            throw EngineError(error)
        }
        return NumberPlace(
            isInPrefix: true, position: reader.offset, bit: bit, descending: fields[bit].mode == .order(.descending))
    }

    /// The number at a place, or nil for a value of another type.
    func number(at place: NumberPlace, suffix: RawSpan, value: RawSpan) throws(EngineError) -> KeyNumber? {
        var bitsStart = 0
        if isGroup { _ = try OrderedInteger.read(value, &bitsStart) }
        let isDouble = EntryValue.isDouble(value, after: bitsStart, at: place.bit)
        if place.isInPrefix {
            let prefix = scan.prefix
            return try decode(prefix.span.bytes, place.position, isDouble, descending: place.descending)
        }
        return try decode(suffix, try start(of: place.position, in: suffix), isDouble, descending: place.descending)
    }

    func number(at path: FieldPath, suffix: RawSpan, value: RawSpan) throws(EngineError) -> Value?? {
        guard let place = try numberPlace(of: path) else { return nil }
        return .some(try number(at: place, suffix: suffix, value: value)?.value)
    }

    fileprivate func decode(
        _ bytes: RawSpan, _ offset: Int, _ isDouble: Bool, descending: Bool
    ) throws(EngineError) -> KeyNumber? {
        var reader = KeyReader(bytes, at: offset)
        do throws(StoredFormatError) {
            return try reader.number(isDouble: isDouble, descending: descending)
        } catch {
            throw EngineError(error)
        }
    }
}

/// Reads the number of one field from the entries of a scan, one after another.
///
/// Entries with the same number follow each other, so most need not be decoded.
struct NumberReader {
    /// A number, and the bytes with which the suffixes of its entries begin, as the first bytes of a word.
    private struct Known {
        let number: KeyNumber?
        let word: UInt64
        let mask: UInt64
    }

    private let entries: EntryReader
    private let place: EntryReader.NumberPlace
    /// Of entries without a value, in which no field is a double.
    private var known: Known?

    init(_ entries: EntryReader, at place: EntryReader.NumberPlace) {
        self.entries = entries
        self.place = place
    }

    /// The number of an entry, or nil for a value of another type.
    @inline(__always)
    mutating func number(suffix: RawSpan, value: RawSpan) throws(EngineError) -> KeyNumber? {
        if let known, value.byteCount == 0, suffix.byteCount >= 8,
            (suffix.word(at: 0) ^ known.word) & known.mask == 0
        {
            return known.number
        }
        return try decode(suffix, value)
    }

    @inline(never)
    private mutating func decode(_ suffix: RawSpan, _ value: RawSpan) throws(EngineError) -> KeyNumber? {
        let number = try entries.number(at: place, suffix: suffix, value: value)
        guard value.byteCount == 0, suffix.byteCount >= 8 else { return number }
        if place.isInPrefix {
            known = Known(number: number, word: 0, mask: 0)
        } else if place.position == 0 {
            // No number's bytes are the beginning of another's.
            let count = try entries.start(of: 1, in: suffix)
            let mask = count < 8 ? (1 << UInt64(8 * count)) - 1 : UInt64.max
            known = count <= 8 ? Known(number: number, word: suffix.word(at: 0), mask: mask) : nil
        }
        return number
    }
}
