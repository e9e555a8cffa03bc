// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

extension Write {
    /// What the write makes of a document before the server has answered. A precondition that fails leaves the document
    /// as it is: the server decides.
    func applyLocally(to document: inout SyncDocument, changing fields: inout ChangedFields, at time: Timestamp) {
        guard holds(precondition, document) else { return }
        switch operation {
        case .verify: return
        case .delete:
            document.contents = .missing
            fields.becomeWhole()
        case .update(let new, let mask, let transforms):
            var merged = Fields.merged(document.fields, new, mask: mask)
            for transform in transforms {
                let value = transform.localValue(
                    of: merged[transform.path], insteadOf: document.fields?[transform.path], at: time)
                merged.set(value, at: transform.path)
            }
            document.contents = .found(merged, createTime: document.createTime)
            if let mask { fields.formUnion(mask + transforms.map(\.path)) } else { fields.becomeWhole() }
        }
        document.version = .noVersion
        document.hasLocalMutations = true
    }

    /// What the document is after the server has committed the write.
    func applyCommitted(to document: inout SyncDocument, _ result: WriteResult, commitTime: Timestamp) {
        let version = result.updateTime ?? commitTime
        switch operation {
        case .verify: return
        case .delete: document.contents = .missing
        case .update(let new, let mask, let transforms):
            guard holds(precondition, document) else {
                document.contents = .unreadable
                break
            }
            document.isPart = mask != nil && !document.isWhole
            var merged = Fields.merged(document.fields, new, mask: mask)
            for (index, transform) in transforms.enumerated() {
                let answer = index < result.transformResults.count ? result.transformResults[index] : .null
                merged.set(transform.committedValue(of: merged[transform.path], answer, version), at: transform.path)
            }
            document.contents = .found(merged, createTime: document.createTime)
        }
        document.version = version
        document.hasCommittedMutations = true
    }

    private func holds(_ precondition: Precondition?, _ document: SyncDocument) -> Bool {
        switch precondition {
        case nil: true
        case .exists(let exists): document.isFound == exists
        case .updateTime(let time): document.isFound && document.version == time
        }
    }

    /// The values from which this write's increments start; nil without an increment.
    func baseWrite(on document: SyncDocument) -> Write? {
        guard case .update(_, _, let transforms) = operation else { return nil }
        var base = Fields.empty
        var mask: [FieldPath] = []
        for transform in transforms {
            guard case .increment = transform.operation else { continue }
            let value = document.fields?[transform.path]
            base.set(value?.typeClass == .number ? value : .integer(0), at: transform.path)
            mask.append(transform.path)
        }
        guard !mask.isEmpty else { return nil }
        return Write(path, .update(base, mask: mask, transforms: []), precondition: .exists(true))
    }
}

extension FieldTransform {
    /// - Parameter previous: what the field held before the write, which may have replaced the map around it.
    fileprivate func localValue(of stored: Value?, insteadOf previous: Value?, at time: Timestamp) -> Value {
        guard case .serverTimestamp = operation else { return apply(to: stored, at: time).value }
        return PendingTimestamp.value(writtenAt: time, replacing: previous)
    }

    /// The server answers null for array transforms, which are computed again.
    fileprivate func committedValue(of stored: Value?, _ answer: Value, _ version: Timestamp) -> Value {
        switch operation {
        case .appendMissingElements, .removeAllFromArray: apply(to: stored, at: version).value
        case .serverTimestamp, .increment, .maximum, .minimum: answer
        }
    }
}

/// A server timestamp that the server has not set yet, in the form that the official clients keep.
package enum PendingTimestamp {
    static func value(writtenAt time: Timestamp, replacing stored: Value?) -> Value {
        var fields = Fields.empty
        fields["__type__"] = .string("server_timestamp")
        fields["__local_write_time__"] = .timestamp(time)
        fields["__previous_value__"] = previous(stored)
        return .map(fields)
    }

    /// The local write time of a pending timestamp; nil for every other value.
    package static func writeTime(of value: Value) -> Timestamp? {
        guard case .map(let fields) = value, case .string("server_timestamp")? = fields["__type__"],
            case .timestamp(let time)? = fields["__local_write_time__"]
        else { return nil }
        return time
    }

    /// What the field of a pending timestamp held before; nil if there was nothing.
    package static func previousValue(of value: Value) -> Value? { previous(value) }

    /// The last value that was no pending timestamp, however many were set in between.
    private static func previous(_ stored: Value?) -> Value? {
        guard let stored, writeTime(of: stored) != nil, case .map(let fields) = stored else { return stored }
        return fields["__previous_value__"]
    }
}
