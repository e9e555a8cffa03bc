// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Cuts a database into ranges of names, so that writes can go to many places of it at once.
///
/// Written in the order of their names, documents would all go to the one server that has the end of what is there.
package struct KeyRanges: Sendable {
    /// The last name of each range but the last, ascending.
    package private(set) var ends: [DocumentPath] = []
    private var count = 0
    private var stride = 1

    private static let kept = 128

    package init() {}

    /// Notes the documents, in the order of their names. Ranges have the same number of documents, up to a factor of two.
    package mutating func note(_ path: DocumentPath) {
        count += 1
        guard count.isMultiple(of: stride) else { return }
        ends.append(path)
        guard ends.count == KeyRanges.kept else { return }
        ends = ends.indices.filter { $0 % 2 == 1 }.map { ends[$0] }
        stride *= 2
    }
}
