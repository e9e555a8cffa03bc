// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// Which commits leave a marker, and when they are sent.
extension SyncMachine {
    /// A name that no other client gives, for the marker of a batch with these writes; nil if it needs none.
    func marker(of writes: [Write]) -> DocumentPath? {
        guard let markers, writes.contains(where: \.mustNotBeRepeated) else { return nil }
        // Two clients with one seed differ in the time.
        return markers.document(Text(AutoID.make(using: &jitter) + "\(now.microseconds)"))
    }

    /// Whether a batch waits for the answers to earlier ones. If such a batch were sent again without its marker being
    /// asked for, it would undo what this one has done to the same documents, and this one is never repeated.
    func isHeldBack(
        _ paths: Set<DocumentPath>, _ marker: DocumentPath?, behind earlier: ArraySlice<MutationBatch>
    ) -> Bool {
        marker != nil && earlier.contains { $0.marker == nil && !paths.isDisjoint(with: $0.paths) }
    }

    /// The place in the pipeline of the first batch that must wait, not before `start`.
    func firstHeldBack(from start: Int) -> Int {
        (start..<pipeline.count).first {
            isHeldBack(pipeline[$0].paths, pipeline[$0].marker, behind: pipeline[..<$0])
        } ?? pipeline.count
    }
}

extension Write {
    /// Whether the write does something else, or fails, if it is made a second time.
    fileprivate var mustNotBeRepeated: Bool {
        switch (operation, precondition) {
        case (_, .updateTime), (.update, .exists(false)), (.delete, .exists(true)): return true
        case (.update(_, _, let transforms), _):
            return transforms.contains { if case .increment = $0.operation { true } else { false } }
        default: return false
        }
    }
}
