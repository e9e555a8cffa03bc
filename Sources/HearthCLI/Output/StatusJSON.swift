// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

extension JSONWriter {
    /// The members of an error as Firestore's REST API gives them, inside an object that is open.
    mutating func writeStatus(_ status: StatusCode, _ message: String) {
        key("status")
        string(status.name)
        key("code")
        integer(Int64(status.rawValue))
        key("message")
        string(message)
    }
}
