// SPDX-License-Identifier: Apache-2.0

/// Writes bundles for tests, from elements that may be wrong.
struct BundleText {
    static let root = "projects/test-project/databases/(default)/documents"

    var elements: [String] = []
    var documentCount = 0

    mutating func addDocument(_ id: String, _ fields: String = "", updated: Int = 1, queries: [String] = []) {
        addMetadata(id, exists: true, queries: queries)
        addContents(id, fields, updated: updated)
    }

    mutating func addMetadata(_ id: String, exists: Bool, read: Int = 5, queries: [String] = []) {
        let names = queries.map { "\"\($0)\"" }.joined(separator: ",")
        elements.append(
            #"{"documentMetadata":{"name":"\#(BundleText.root)/c/\#(id)","readTime":{"seconds":\#(read)},"#
                + #""exists":\#(exists),"queries":[\#(names)]}}"#)
        if !exists { documentCount += 1 }
    }

    mutating func addContents(_ id: String, _ fields: String = "", updated: Int = 1) {
        elements.append(
            #"{"document":{"name":"\#(BundleText.root)/c/\#(id)","createTime":{"seconds":1},"#
                + #""updateTime":{"seconds":\#(updated)},"fields":{\#(fields)}}}"#)
        documentCount += 1
    }

    mutating func addQuery(_ name: String, _ query: String, limitType: String = "FIRST", read: Int = 5) {
        elements.append(
            #"{"namedQuery":{"name":"\#(name)","readTime":{"seconds":"\#(read)","nanos":0},"bundledQuery":"#
                + #"{"parent":"\#(BundleText.root)","structuredQuery":\#(query),"limitType":"\#(limitType)"}}}"#)
    }

    /// - Parameters:
    ///   - count: the number of documents that the metadata name.
    ///   - tail: what follows the elements.
    func bytes(
        id: String = "b", created: Int = 6, version: Int = 1, count: Int? = nil, tail: String = ""
    ) -> [UInt8] {
        let body = elements.map { "\($0.utf8.count)\($0)" }.joined()
        let metadata =
            #"{"metadata":{"id":"\#(id)","createTime":{"seconds":\#(created)},"version":\#(version),"#
            + #""totalDocuments":\#(count ?? documentCount),"totalBytes":"\#(body.utf8.count)"}}"#
        return Array("\(metadata.utf8.count)\(metadata)\(body)\(tail)".utf8)
    }
}
