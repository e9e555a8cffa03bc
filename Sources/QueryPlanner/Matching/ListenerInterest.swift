// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Which changes can affect a listener.
package enum ListenerInterest: Sendable {
    case documents([DocumentPath])
    /// Documents of the collection that meet one of the requirements.
    case collection(CollectionPath, [ListenerRequirement])
    /// Documents of the collection group that meet one of the requirements.
    case group(Text, [ListenerRequirement])
    /// All documents, for what has no narrower interest.
    case everything

    /// The changes whose old or new version may be a row, apart from limit and offset.
    package init(_ query: NormalizedQuery) {
        switch query.scope {
        case .collection(let path): self = .collection(path, query.listenerRequirements)
        case .collectionGroup(let id, _): self = .group(id, query.listenerRequirements)
        case .children, .descendants: self = .everything
        }
    }
}
