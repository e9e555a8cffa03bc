// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import IndexCatalog
    internal import QueryPlanner

    extension MissingIndexError {
        /// What the server adds to production's message: the definition to paste, and the nearest index.
        func instructions(for catalog: IndexCatalog) -> String {
            var text = "\n\nAdd to firestore.indexes.json:\n\(ConfigurationWriter.text(fix(for: catalog)))"
            if let closest = closestIndex(in: catalog) {
                text +=
                    "\nThe closest index does not serve the query: \(closest.index.collectionGroup) "
                    + "\(closest.index.properties). \(closest.reason)\n"
            }
            return text
        }
    }
#endif
