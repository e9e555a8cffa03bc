// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Which fields the equalities of a conjunction bind, whatever the values: queries of one shape are found by the values that a
/// document holds there.
package struct EqualityShape: Hashable, Sendable {
    /// In order, each once; the document's name may be among them.
    let equalities: [FieldPath]
    /// The array of an `array-contains`.
    let membership: FieldPath?

    /// Without equalities every document fits.
    package var isEmpty: Bool { equalities.isEmpty && membership == nil }

    /// What a conjunction of this shape must demand for the document to match it: none, one, or one for each element of an
    /// array.
    package func keys(of document: Document) -> [[UInt8]] {
        var encoder = KeyEncoder()
        for path in equalities {
            if path.isDocumentName {
                encoder.append(path: document.path.resource)
            } else {
                guard let value = document.fields[path] else { return [] }
                encoder.append(value)
            }
        }
        guard let membership else { return [encoder.bytes] }
        guard case .array(let elements)? = document.fields[membership] else { return [] }
        let prefix = encoder.bytes
        return elements.map { prefix + FilterBounds.key($0) }
    }
}

/// A conjunction's equalities: fields and values.
package struct EqualityDemand: Hashable, Sendable {
    package let shape: EqualityShape
    /// Equal to one of the shape's keys of every document that matches.
    package let key: [UInt8]

    init(_ conjunction: Conjunction) {
        var values: [FieldPath: Value] = [:]
        var membership: (path: FieldPath, element: Value)?
        for filter in conjunction.filters {
            switch filter {
            case .field(let path, .equal, let value): values[path] = value
            case .unary(let path, .isNull): values[path] = .null
            case .unary(let path, .isNaN): values[path] = .double(.nan)
            case .field(let path, .arrayContains, let value): membership = (path, value)
            default: break
            }
        }
        let sorted = values.sorted { $0.key < $1.key }
        var encoder = KeyEncoder()
        for (path, value) in sorted {
            if path.isDocumentName, case .reference(let reference) = value {
                encoder.append(path: reference.path)
            } else {
                encoder.append(value)
            }
        }
        if let membership { encoder.append(membership.element) }
        shape = EqualityShape(equalities: sorted.map(\.key), membership: membership?.path)
        key = encoder.bytes
    }
}

extension NormalizedQuery {
    /// One for each disjunct. A document that matches the query fulfils at least one.
    package var equalityDemands: [EqualityDemand] { disjuncts.map { EqualityDemand($0) } }
}
