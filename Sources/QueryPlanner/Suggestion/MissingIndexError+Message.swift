// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import IndexCatalog

extension MissingIndexError {
    /// Production's message for a project and database (E-2 to E-6).
    ///
    /// - Parameter database: nil if no Firebase project is known. The message then tells how to name one instead of
    ///   giving a link.
    package func message(in database: DatabaseID?) -> String {
        if isVector { return vectorMessage(in: database) }
        let url = database.map { link(in: $0).url }
        if isBuilding {
            return "The query requires an index. That index is currently building and cannot be used yet. "
                + (url.map { "See its status here: \($0)" } ?? MissingIndexError.withoutProject)
        }
        let place = url.map { "You can create it here: \($0)" } ?? MissingIndexError.withoutProject
        if let singleField {
            return "The query requires a \(singleField.modeName) index for collection \(definition.collectionGroup) "
                + "and field \(definition.fields[0].path). \(place)"
        }
        let advice =
            hasSeveralInequalityFields
            ? " .\nThe query contains range and inequality filters on multiple fields, please refer to the documentation "
                + "for index selection best practices: "
                + "https://cloud.google.com/firestore/docs/query-data/multiple-range-fields."
            : ""
        return "The query requires an index. \(place)\(advice)"
    }

    private static let withoutProject =
        "For a link to it, open the database with the projectID of your Firebase project, or set GCLOUD_PROJECT."

    /// The link that creates the index. Production gives none for a vector index, though it would work.
    package func link(in database: DatabaseID) -> ConsoleLink {
        ConsoleLink(database: database, definition: definition, singleField: singleField)
    }

    private func vectorMessage(in database: DatabaseID?) -> String {
        let fields = definition.fields.map { field in
            switch field.mode {
            case .order(let direction):
                "--field-config=order=\(direction.wireName),field-path=\(field.path)"
            case .contains: "--field-config=array-config=CONTAINS,field-path=\(field.path)"
            case .vector(let dimension):
                "--field-config=vector-config='{\"dimension\":\"\(dimension)\",\"flat\": \"{}\"}',field-path=\(field.path)"
            }
        }
        return
            "Missing vector index configuration. Please create the required index with the following gcloud command: "
            + "gcloud firestore indexes composite create --project=\(database?.project ?? "PROJECT") "
            + "--collection-group=\(definition.collectionGroup) --query-scope=\(definition.scope.wireName) "
            + fields.joined(separator: " ")
    }
}

extension SingleFieldIndex {
    /// As E-3 spells it: `COLLECTION_GROUP_DESC`.
    fileprivate var modeName: String {
        switch mode {
        case .ascending: "\(scope.wireName)_ASC"
        case .descending: "\(scope.wireName)_DESC"
        case .contains: "\(scope.wireName)_CONTAINS"
        }
    }
}
