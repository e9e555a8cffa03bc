// SPDX-License-Identifier: Apache-2.0

/// How much work a verification has, in parts that take about as long as reading one index entry.
struct VerificationWork {
    /// Reading an index entry. A document's entries are looked up one by one, which takes much longer.
    static let entry = 1
    private static let lookup = 20
    private static let page = 30

    let pages: Int
    let total: Int
    /// Checking a document of average size.
    let document: Int

    init(pages: Int = 0, documents: Int = 0, entries: Int = 0) {
        self.pages = VerificationWork.page * pages
        document = VerificationWork.lookup * max(1, entries / max(1, documents))
        total = self.pages + document * documents + VerificationWork.entry * entries
    }

    /// The completed share of the whole after a share of the pages, which come first.
    func share(pages: Double) -> Double { pages * Double(self.pages) / Double(max(1, total)) }
}
