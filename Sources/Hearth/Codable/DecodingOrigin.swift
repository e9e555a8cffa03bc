// SPDX-License-Identifier: Apache-2.0

/// Where decoded data comes from. It supplies ``DocumentID`` properties and references.
enum DecodingOrigin {
    /// Data of the program. The database is that of a reference in it.
    case data(Database?)
    case document(DocumentReference)
    /// A snapshot, which creates its reference on demand.
    case snapshot(DocumentSnapshot)

    var reference: DocumentReference? {
        switch self {
        case .data: nil
        case .document(let reference): reference
        case .snapshot(let snapshot): snapshot.reference
        }
    }

    var database: Database? {
        switch self {
        case .data(let database): database
        case .document(let reference): reference.firestore
        case .snapshot(let snapshot): snapshot.firestore
        }
    }
}
