// SPDX-License-Identifier: Apache-2.0

package import IndexCatalog

/// An existing index that nearly serves a query.
package struct NearMiss: Hashable, Sendable {
    package let index: IndexDefinition
    /// A sentence: why it does not serve.
    package let reason: String
}

extension NearMiss {
    /// Nil where the collection group has no composite index.
    init?(of wanted: IndexDefinition, demand: Demand, selector: IndexSelector) {
        nil
    }
}
