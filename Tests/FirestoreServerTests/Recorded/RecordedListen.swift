// SPDX-License-Identifier: Apache-2.0

#if Server
    /// What production sent over Listen in October 2026, in the notation of ``Conversation``: each row of six programs, in two runs
    /// where they differ. The public repository t-k/fireemu has the recordings (`conformance/fixtures/fs-listen`).
    enum RecordedListen {
        static let rows: [String: [String]] = [
            "lifecycle/open": ["ADD1 doc a CUR1 ∎"],
            "lifecycle/update": ["doc a ∎"],
            "lifecycle/same-data": [""],
            "lifecycle/remove": ["REMOVE1"],
            "lifecycle/readd": ["ADD2 doc a CUR2 ∎"],
            "lifecycle/delete": ["del a ∎"],
            "protocol/duplicate-id": ["ADD1 doc a CUR1 ∎ REMOVE1{6, Target ID already exists: 1}"],
            "protocol/server-assigned-id": ["ADD1 doc a CUR1 ∎"],
            "protocol/second-zero-id": ["ADD2 doc b CUR2 ∎"],
            "protocol/id-after-assigned": ["end 3"],
            "protocol/negative-id": ["end 3"],
            "protocol/once": ["ADD1 doc a CUR1 ∎ REMOVE1"],
            "protocol/read-time-before-write": ["ADD1 ∎ doc a CUR1 ∎"],
            "protocol/read-time-after-write": ["ADD1 ∎ CUR1 ∎"],
            "protocol/missing-index": ["ADD1 REMOVE1{9, The query requires an index. You can create it here: …}"],
            "protocol/equality-only-query": ["ADD1 doc a doc b CUR1 ∎", "ADD1 doc a doc b CUR1 ∎ F(2) ∎"],
            "protocol/collection-group": ["ADD1 doc c1 doc c2 CUR1 ∎ F(2) ∎"],
            "token/first": ["ADD1 doc a doc b CUR1 ∎ F(2) ∎", "ADD1 doc a doc b CUR1 ∎"],
            "token/current": ["ADD1 ∎ doc b ∎ CUR1 ∎"],
            "token/older": ["ADD1 ∎ doc a doc b F(2) CUR1 ∎"],
            "token/unchanged": ["ADD1 ∎ CUR1 ∎", "ADD1 ∎ F(2) CUR1 ∎"],
            "token/invalid": ["REMOVE1{3, bad resume token}"],
            "token/other-query": ["ADD1 ∎ F(0) CUR1 ∎", "ADD1 ∎ F(0) CUR1 ∎ F(0) ∎"],
            "token/fresh-control": ["ADD1 doc a doc b CUR1 ∎ F(2) ∎", "ADD1 doc a doc b CUR1 ∎"],
            "filter/first": ["ADD1 doc a doc b doc c CUR1 ∎"],
            "filter/no-change": ["ADD1 ∎ CUR1 ∎", "ADD1 ∎ F(3) CUR1 ∎"],
            "filter/with-expected-count": ["ADD1 ∎ del b ∎ doc c −1 ∎ CUR1 ∎"],
            "filter/without-expected-count": ["ADD1 ∎ F(1) CUR1 ∎"],
            "expired/first": ["ADD1 doc a CUR1 ∎ F(1) ∎", "ADD1 doc a CUR1 ∎"],
            "expired/expired": ["ADD1 ∎ doc a F(1) CUR1 ∎ F(1) ∎"],
            "expired/fresh-control": ["ADD1 doc a CUR1 ∎ F(1) ∎"],
            "atomic/open": ["ADD1 CUR1 ∎"],
            "atomic/transaction": ["doc a doc b ∎", "doc b doc a ∎"],
            "atomic/single-commit": ["doc c doc d ∎"],
            "atomic/separate-commits": ["doc a ∎ doc b ∎"],
        ]

        /// Rows where the filter is all that tells the client of removals. Hearth sends no filters, but always the removals, as
        /// production does when the client says how many documents it expects.
        private static let withRemovals = ["filter/without-expected-count": "filter/with-expected-count"]

        /// Whether production's answers allow this one, apart from what the protocol leaves to the server: filters, and boundaries
        /// between the former state of a target and CURRENT, of which production sends one for each commit or none.
        static func allows(_ answer: String, in row: String) -> Bool {
            let recorded = rows[withRemovals[row] ?? row] ?? []
            return recorded.contains { plain($0) == plain(answer) }
        }

        private static func plain(_ answer: String) -> String {
            var words: [Substring] = []
            for word in answer.split(separator: " ") where !word.hasPrefix("F(") {
                let isResuming = words.starts(with: ["ADD1", "∎"]) && !words.contains("CUR1")
                // Two in a row: that of a filter which came later.
                if word == "∎", isResuming || words.last == "∎" { continue }
                words.append(word)
            }
            return words.joined(separator: " ")
        }
    }
#endif
