// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

extension JSONWriter {
    /// Writes the members of an error, as in Firestore's REST API, into an open object.
    mutating func writeStatus(_ status: StatusCode, _ message: String) {
        key("status")
        string(status.name)
        key("code")
        integer(Int64(status.rawValue))
        key("message")
        string(message)
    }
}
