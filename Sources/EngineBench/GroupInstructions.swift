// SPDX-License-Identifier: Apache-2.0

internal import Hearth

/// Queries of a collection group, and of documents that are used whole, in a database of their own.
func groupOperations() throws -> [(name: String, repetitions: Int, body: () throws -> Void)] {
    let settings = FirestoreSettings()
    settings.mapSize = 1 << 30
    settings.cacheSettings = MemoryCacheSettings()
    let database = try Database.open(path: "group", settings: settings)
    try database.sync.setIndexConfiguration(
        """
        {"indexes": [{"collectionGroup": "comments", "queryScope": "COLLECTION_GROUP", "fields": [
            {"fieldPath": "author", "order": "ASCENDING"}, {"fieldPath": "created", "order": "DESCENDING"}]},
          {"collectionGroup": "comments", "queryScope": "COLLECTION_GROUP", "fields": [
            {"fieldPath": "labels", "arrayConfig": "CONTAINS"}, {"fieldPath": "created", "order": "DESCENDING"}]}]}
        """)
    for start in stride(from: 0, to: 2_000, by: 500) {
        let batch = database.batch()
        for index in start..<start + 500 {
            let path = "posts/post-\(index % 100)/comments/c-\(index)-of-a-length"
            batch.setData(comment(index), forDocument: database.document(path))
        }
        try batch.sync.commit()
    }
    let group = database.collectionGroup("comments")
    let posts = (0..<3).map { database.collection("posts/post-\($0)/comments") }
    return [
        (
            "group-order-limit-10", 20,
            {
                let query = group.whereField("author", isEqualTo: "author-7").order(by: "created", descending: true)
                for document in try query.limit(to: 10).sync.getDocuments().documents {
                    _ = try document.get("score", as: Int.self)
                }
            }
        ),
        (
            "group-contains-any-limit-20", 10,
            {
                let query = group.whereField("labels", arrayContainsAny: (0..<10).map { "label-\($0)" })
                    .order(by: "created", descending: true)
                for document in try query.limit(to: 20).sync.getDocuments().documents {
                    _ = try document.get("score", as: Int.self)
                }
            }
        ),
        (
            "get-nested-60", 5,
            {
                for post in posts {
                    for document in try post.sync.getDocuments().documents {
                        _ = (document.get("place.number") as? Int, document.get("place") as? [String: Any])
                    }
                }
            }
        ),
    ]
}

private func comment(_ index: Int) -> [String: Any] {
    [
        "author": "author-\(index % 20)", "created": Timestamp(seconds: 1_700_000_000 + Int64(index), nanoseconds: 0),
        "labels": ["label-\(index % 50)", "label-\((index + 7) % 50)"], "score": index % 100,
        "place": ["number": index, "name": "a place of comment \(index)"],
        "text": "water the plants of the garden office before the summer school begins",
    ]
}
