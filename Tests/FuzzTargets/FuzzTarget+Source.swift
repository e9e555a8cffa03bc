// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner
internal import QuerySource

extension FuzzTarget {
    private static let extensions = ["ts", "swift", "kt", "java", "dart", "py", "go", "cs", "php", "vue"]

    /// The first byte, a digit in the seeds, chooses the language.
    static let source = FuzzTarget(
        "source",
        seeds: [
            "0const q = query(collection(db, `users/${id}/posts`), where('a', '==', x), orderBy('b', up ? 'asc' : 'desc')); getDocs(q);",
            "1let q = db.collection(\"a\").whereField(\"b\", isEqualTo: 1)\nif c { q = q.order(by: \"d\") }\nq.getDocuments()",
            "2val q = db.collection(\"a/$b/c\").whereIn(\"d\", listOf(1, 2)).orderBy(\"e\", Query.Direction.DESCENDING)\nq.get()",
            "4final q = db.collection('a').where('b', isEqualTo: c).where(Filter.or(Filter('d', isNull: true), Filter('e', whereIn: f)));",
            "5def f(a):\n    q = db.collection('a').where(filter=FieldFilter('b', '==', a))\n    if a: q = q.limit(1)\n    return q.stream()\n",
            "6q := client.Collection(\"a\").Where(\"b\", \"==\", 1).OrderBy(\"c\", firestore.Desc)\nq.Documents(ctx)",
            "7var q = db.Collection(\"a\").WhereEqualTo(\"b\", 1).OrderByDescending($\"{c}\"); await q.GetSnapshotAsync();",
            "8<?php $q = $db->collection(\"a/$b/c\")->where('d', '=', 1)->orderBy('e', 'DESC'); $q->documents(); ?>",
        ]
    ) { bytes throws(Broken) in
        let path = "a.\(extensions[(Int(bytes.first ?? 0) + 2) % extensions.count])"
        let source = Array(bytes.dropFirst())
        guard let report = QuerySource.read(source, path: path) else { return }
        let catalog = IndexCatalog(composites: [], fieldOverrides: [])
        for site in report.sites {
            try require((0...source.count).contains(site.offset), "a site lies outside its source")
            try require(!site.queries.isEmpty || !site.unresolved.isEmpty, "a site says nothing")
            for request in site.queries.flatMap(\.requests) {
                _ = try? Planner.plan(request, catalog: catalog, database: DatabaseID(project: "hearth"))
            }
        }
    }
}
