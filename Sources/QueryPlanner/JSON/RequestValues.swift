// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// Values inside a request.
struct RequestValues {
    let names: DocumentNames

    /// - Parameter object: the object to name in the error if the value is missing.
    func read(_ node: JSONNode?, place: String, in object: RequestObject) throws(InvalidQueryError) -> Value {
        guard let node else {
            throw InvalidQueryError("Cannot convert firestore.v1.Value with type unset.", offset: object.offset)
        }
        return try read(node, place: place)
    }

    func read(_ node: JSONNode, place: String) throws(InvalidQueryError) -> Value {
        do throws(DocumentFormError) {
            return try ValueJSON.read(node, names)
        } catch {
            throw InvalidQueryError(recordedMessage(node, place) ?? error.message, offset: error.offset ?? node.offset)
        }
    }

    /// Uses production's words if they are recorded.
    private func recordedMessage(_ node: JSONNode, _ place: String) -> String? {
        guard let member = node.members?.first else { return nil }
        switch (member.key, member.node.string) {
        case ("integerValue", _):
            return "Invalid value at '\(place).integer_value' (TYPE_INT64), \(member.node.text())"
        case ("timestampValue", let text?):
            let isWellFormed = text.hasSuffix("Z") && text.contains("T")
            return "Invalid value at '\(place).timestamp_value' (type.googleapis.com/google.protobuf.Timestamp), "
                + "Field 'timestampValue', "
                + (isWellFormed
                    ? "Timestamp value exceeds limits"
                    : "Illegal timestamp format; timestamps must end with 'Z' or have a valid timezone offset.")
        default: return nil
        }
    }
}
