// SPDX-License-Identifier: Apache-2.0

/// Where the data is from that is decoded: what gives ``DocumentID`` properties and references.
enum DecodingOrigin {
    /// The program. The database is that of a reference in it.
    case data(Database?)
    case document(DocumentReference)
    /// A snapshot, which makes its reference when it is asked for.
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
