// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import QueryPlanner

/// Reads a bundle: first its metadata, which tell whether the rest is wanted, then all of it. Nothing of one that is damaged
/// is used.
struct BundleReader {
    let record: BundleRecord
    /// By the metadata, as the next.
    let documentCount: Int
    let byteCount: Int

    private let database: DatabaseID
    private var elements: BundleElements
    private var documents: [Bundle.Document] = []
    private var queries: [NamedQuery] = []
    private var offsets: [Int] = []
    /// What is known of a document whose contents follow.
    private var announced: (path: DocumentPath, readTime: Timestamp, queries: [String])?

    init(_ bytes: [UInt8], database: DatabaseID) throws(SyncError) {
        self.database = database
        elements = BundleElements(bytes)
        guard let metadata = try elements.next()?["metadata"], let id = metadata["id"]?.string,
            metadata["version"]?.wholeNumber == 1, let time = metadata["createTime"],
            let documents = metadata["totalDocuments"]?.wholeNumber.flatMap({ Int(exactly: $0) })
        else { throw BundleElements.error("it does not begin with the metadata of a bundle of version 1") }
        record = BundleRecord(id: id, createTime: try time.bundleTime())
        documentCount = documents
        byteCount = metadata["totalBytes"]?.wholeNumber.flatMap { Int(exactly: $0) } ?? 0
    }

    consuming func read() throws(SyncError) -> Bundle {
        let start = elements.offset
        while let element = try elements.next() {
            try read(element)
            while offsets.count < documents.count { offsets.append(elements.offset - start) }
        }
        guard announced == nil, documents.count == documentCount, byteCount == elements.offset - start else {
            throw BundleElements.error("it has other documents or another length than its metadata says")
        }
        return Bundle(record: record, documents: documents, queries: queries, offsets: offsets)
    }

    private mutating func read(_ element: JSONNode) throws(SyncError) {
        if let query = element["namedQuery"] {
            queries.append(try namedQuery(query))
        } else if let metadata = element["documentMetadata"] {
            try announce(metadata)
        } else if let document = element["document"] {
            try add(document)
        } else {
            throw BundleElements.error("an element is of no known kind")
        }
    }

    private func namedQuery(_ node: JSONNode) throws(SyncError) -> NamedQuery {
        guard let name = node["name"]?.string, let bundled = node["bundledQuery"], let members = bundled.members,
            let readTime = node["readTime"]
        else { throw BundleElements.error("a named query lacks its name, query or time") }
        var request = JSONNode(.object(members.filter { $0.key != "limitType" }))
        if bundled["limitType"]?.string == "LAST", case .object(let members) = request.value {
            request = JSONNode(.object(members + [JSONMember(key: "limitToLast", node: .boolean(true))]))
        }
        do throws(InvalidQueryError) {
            let query = try QueryJSON.read(request.withTextTimes(), database: database).query
            guard query.from.collectionID != nil else { throw InvalidQueryError("it names no collection") }
            return NamedQuery(
                name: name, query: try SyncQuery(query, database: database), readTime: try readTime.queryTime())
        } catch {
            throw BundleElements.error("the query \(name): \(error.message)")
        }
    }

    private mutating func announce(_ node: JSONNode) throws(SyncError) {
        guard announced == nil, let name = node["name"]?.string, let time = node["readTime"] else {
            throw BundleElements.error("a document is announced and does not follow")
        }
        let path = try path(name)
        let readTime = try time.bundleTime()
        let queries = node["queries"]?.elements?.compactMap(\.string) ?? []
        guard node["exists"]?.boolean != true else {
            announced = (path, readTime, queries)
            return
        }
        documents.append(Bundle.Document(document: SyncDocument(path, .missing, version: readTime), queries: queries))
    }

    private mutating func add(_ node: JSONNode) throws(SyncError) {
        do throws(DocumentFormError) {
            let (path, fields) = try DocumentJSON.read(node.withTextTimes(), database: database)
            guard let known = announced, known.path == path else {
                throw DocumentFormError("a document has not been announced")
            }
            announced = nil
            let version = try node["updateTime"]?.documentTime() ?? known.readTime
            let created = try node["createTime"]?.documentTime() ?? version
            documents.append(
                Bundle.Document(
                    document: SyncDocument(path, .found(fields, createTime: created), version: version),
                    queries: known.queries))
        } catch {
            throw BundleElements.error(error.message)
        }
    }

    private func path(_ name: String) throws(SyncError) -> DocumentPath {
        do throws(DocumentFormError) {
            return try DocumentPath(parsing: name, in: database)
        } catch {
            throw BundleElements.error(error.message)
        }
    }
}

extension JSONNode {
    fileprivate func documentTime() throws(DocumentFormError) -> Timestamp {
        do throws(SyncError) { return try bundleTime() } catch { throw DocumentFormError(error.message) }
    }

    fileprivate func queryTime() throws(InvalidQueryError) -> Timestamp {
        do throws(SyncError) { return try bundleTime() } catch { throw InvalidQueryError(error.message) }
    }
}
