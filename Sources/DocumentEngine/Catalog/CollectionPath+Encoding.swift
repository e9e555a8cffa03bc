// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension CollectionPath {
    /// The collection at an encoded path without its end mark.
    init(encoded: [UInt8]) throws(EngineError) {
        let bytes = encoded + [0]
        var reader = KeyReader(bytes.span.bytes)
        let path: ResourcePath
        do { path = try reader.path() } catch { throw EngineError(error) }
        guard path.count % 2 == 1 else { throw .damaged("the catalog lists a collection that is none") }
        self.init(path)
    }
}
