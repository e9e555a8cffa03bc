// SPDX-License-Identifier: Apache-2.0

import Hearth

// As many files of applications, this one imports no Foundation of its own.

struct Draft: Codable, Equatable {
    var text: String
    var changed: Date
    var picture: Data?
}

func draftAsJSON(_ draft: Draft) throws -> Data { try JSONEncoder().encode(draft) }

func draft(of json: Data) throws -> Draft { try JSONDecoder().decode(Draft.self, from: json) }

func isMissing(_ error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == FirestoreErrorDomain && error.code == FirestoreErrorCode.notFound.rawValue
}
