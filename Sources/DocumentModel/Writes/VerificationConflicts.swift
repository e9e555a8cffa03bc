// SPDX-License-Identifier: Apache-2.0

/// Finds documents on which a request sets a condition and of which it says something else, too, or the same again. The emulator refuses
/// such requests.
package struct VerificationConflicts {
    private var written: Set<ResourcePath> = []
    private var verified: Set<ResourcePath> = []

    package init() {}

    /// What is wrong with the next write of a request; nil for nothing.
    package mutating func add(_ path: ResourcePath, isVerification: Bool) -> String? {
        guard isVerification else {
            written.insert(path)
            return verified.contains(path) ? VerificationConflicts.message("verified and then written") : nil
        }
        if written.contains(path) { return VerificationConflicts.message("written and then verified") }
        return verified.insert(path).inserted ? nil : VerificationConflicts.message("verified more than once")
    }

    private static func message(_ what: String) -> String {
        "the same document cannot be \(what) in a single request"
    }

    /// The first conflict of a request.
    package static func first(in writes: [Write]) -> String? {
        guard writes.contains(where: \.operation.isVerification) else { return nil }
        var conflicts = VerificationConflicts()
        for write in writes {
            let isVerification = write.operation.isVerification
            if let problem = conflicts.add(write.path.resource, isVerification: isVerification) { return problem }
        }
        return nil
    }
}
