// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// The composite indexes of a collection group that begin with one field. A document without it has entries in none of them (I-20), and
/// most of many indexes begin with fields that a document lacks.
struct CompositeRun {
    let first: FieldPath
    let indexes: [StoredComposite]

    static func runs(of indexes: [StoredComposite]) -> [CompositeRun] {
        Dictionary(grouping: indexes.filter { !$0.definition.fields.isEmpty }) { $0.definition.fields[0].path }
            .map { CompositeRun(first: $0, indexes: $1) }
    }
}
