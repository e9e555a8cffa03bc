// SPDX-License-Identifier: Apache-2.0

import IndexCatalog
import Testing

/// Each rule where it applies, at the exact position, and near it where it must not apply. `«rule»` marks the position.
@Suite struct RuleTests {
    // MARK: Shape

    @Test func syntax() {
        expectFindings("«syntax»")
        expectFindings("{\n  \"indexes\": [\n    «syntax»'x'\n  ]\n}")
        expectFindings(#"{"indexes": []} «syntax»{}"#)
        expectFindings("«syntax»\u{FEFF}{\"indexes\": []}")
        expectFindings("// a comment\n{\"$schema\": \"x\", /* another */ \"indexes\": []} // end")
    }

    @Test func trailingComma() {
        expectFindings(#"{"indexes": []«trailing-comma»,}"#)
        expectFindings(index(list(asc("a"), asc("b")) + "«trailing-comma»,"))
        expectFindings("«missing-key»{\"fieldOverrides\": []«trailing-comma»,\n}")
    }

    @Test func unknownKey() {
        expectFindings(#"{"indexes": [], «unknown-key»"comment": "x"}"#)
        expectFindings(
            #"{"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", «unknown-key»"querySope": 1, "fields": ["#
                + list(asc("a"), #"{"fieldPath": "b", "order": "ASCENDING", «unknown-key»"direction": 1}"#) + "]}]}")
        expectFindings(overrides(override("[]", rest: #"«unknown-key»"TTL": true, "#)))
        expectFindings(index(asc("a") + #", {"fieldPath": "v", "vectorConfig": {"dimension": 2, "flat": {"x": 1}}}"#))
    }

    @Test(arguments: [
        ("colectionGroup", "collectionGroup"), ("collection_group", "collectionGroup"), ("queryscope", "queryScope"),
        ("field", "fields"), ("Fields", "fields"), ("scope", "queryScope"), ("group", "collectionGroup"),
        ("densty", "density"), ("comment", nil), ("x", nil),
    ])
    func unknownKeysComeWithTheNearestRightOne(_ key: String, _ nearest: String?) {
        let source =
            #"{"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "\#(key)": 1, "fields": [\#(asc("a")), \#(asc("b"))]}]}"#
        let messages = ConfigurationReader.read(Array(source.utf8)).findings.filter { $0.rule.id == "unknown-key" }.map(
            \.message)
        #expect(messages.count == 1)
        #expect(messages[0].contains("did you mean") == (nearest != nil))
        if let nearest { #expect(messages[0].contains("did you mean \"\(nearest)\"?"), "\(messages)") }
    }

    @Test func repeatedKey() {
        expectFindings(#"{"indexes": [], "fieldOverrides": [], «repeated-key»"indexes": []}"#)
        expectFindings(
            index(#"{"fieldPath": "a", "order": "ASCENDING", «repeated-key»"order": "DESCENDING"}, "# + asc("b")))
    }

    /// JSON readers compare keys by their characters, not by canonical equivalence.
    @Test func keysThatLookAlikeAreTwo() {
        expectFindings("{\"indexes\": [], «unknown-key»\"\u{E9}\": 1, «unknown-key»\"e\u{301}\": 1}")
    }

    @Test func missingKey() {
        expectFindings("«missing-key»{}")
        expectFindings(#"{"indexes": «missing-key»null}"#)
        expectFindings(#"{"indexes": [«missing-key»{}]}"#)
        expectFindings(
            #"{"indexes": [{"collectionGroup": «missing-key»"", "queryScope": "COLLECTION", "fields": [\#(asc("a")), \#(asc("b"))]}]}"#
        )
        expectFindings(
            index(#"«missing-key»{"order": "ASCENDING"}, {"fieldPath": «missing-key»"", "order": "ASCENDING"}"#))
        expectFindings(index(asc("a") + #", {"fieldPath": "v", "vectorConfig": «missing-key»{"dimension": 3}}"#))
        expectFindings(index(asc("a") + #", {"fieldPath": "v", "vectorConfig": «missing-key»{"flat": {}}}"#))
        expectFindings(overrides("«missing-key»{}"))
        expectFindings(overrides(override(#"[«missing-key»{"order": "ASCENDING"}]"#)))
        expectFindings(overrides(override("[]")))
        expectFindings(
            overrides(override("[]") + #", {"collectionGroup": "c", "fieldPath": "g", "indexes": «missing-key»null}"#))
    }

    @Test func wrongType() {
        expectFindings("«wrong-type»[]")
        expectFindings("«wrong-type»5")
        expectFindings(#"{"indexes": «wrong-type»{}}"#)
        expectFindings(#"{"indexes": [«wrong-type»5], "fieldOverrides": «wrong-type»"x"}"#)
        expectFindings(
            #"{"indexes": [{"collectionGroup": «wrong-type»5, "queryScope": «wrong-type»true, "fields": «wrong-type»{}}]}"#
        )
        expectFindings(index(#"«wrong-type»"a", {"fieldPath": «wrong-type»1, "order": «wrong-type»2}"#))
        expectFindings(
            #"{"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "multikey": «wrong-type»"yes", "fields": [\#(asc("a")), \#(asc("b"))]}]}"#
        )
        expectFindings(
            index(asc("a") + #", {"fieldPath": "v", "vectorConfig": {"dimension": «wrong-type»"3", "flat": {}}}"#))
        expectFindings(index(asc("a") + #", {"fieldPath": "v", "vectorConfig": «wrong-type»3}"#))
        expectFindings(overrides(override("[]", rest: #""ttl": «wrong-type»"true", "#)))
        expectFindings(overrides(override("«wrong-type»{}")))
        expectFindings(#"{"indexes": [], "fieldOverrides": null}"#)
        expectFindings(
            #"{"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "density": null, "apiScope": null, "fields": [\#(asc("a")), \#(asc("b"))]}]}"#
        )
    }

    @Test func badEnumeration() {
        expectFindings(
            index(#"{"fieldPath": "a", "order": «bad-enum»"ascending"}, {"fieldPath": "b", "order": «bad-enum»"DESC"}"#)
        )
        expectFindings(index(#"{"fieldPath": "a", "arrayConfig": «bad-enum»"ARRAY_CONTAINS"}, "# + asc("b")))
        expectFindings(
            index(list(asc("a"), asc("b"))).replacing("\"COLLECTION\"", with: "«bad-enum»\"COLLECTION_RECURSIVE\""))
        expectFindings(
            #"{"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "apiScope": «bad-enum»"ANY", "density": «bad-enum»"SPARSE", "fields": [\#(asc("a")), \#(asc("b"))]}]}"#
        )
        expectFindings(overrides(override(#"[{"order": «bad-enum»"UP", "queryScope": «bad-enum»"GROUP"}]"#)))
    }

    @Test func oneOf() {
        expectFindings(index(#"«one-of-violation»{"fieldPath": "a"}, "# + asc("b")))
        expectFindings(
            index(
                #"{"fieldPath": "a", "order": "ASCENDING", «one-of-violation»"arrayConfig": "CONTAINS"}, "# + asc("b")))
        expectFindings(index(#"{"fieldPath": "a", "arrayConfig": null, "order": "ASCENDING"}, "# + asc("b")))
        expectFindings(overrides(override(#"[«one-of-violation»{"queryScope": "COLLECTION"}]"#)))
        expectFindings(
            overrides(
                override(
                    #"[{"arrayConfig": "CONTAINS", "queryScope": "COLLECTION", «one-of-violation»"order": "ASCENDING"}]"#
                )))
    }

    @Test func noFields() {
        expectFindings(index("").replacing("[]}", with: "«no-fields»[]}"))
    }

    @Test func uniqueNotSupported() {
        expectFindings(
            #"{"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", «unique-not-supported»"unique": false, "fields": [\#(asc("a")), \#(asc("b"))]}]}"#
        )
        expectFindings(
            overrides(
                override(
                    #"«override-drops-defaults»[{"order": "ASCENDING", "queryScope": "COLLECTION", «unique-not-supported»"unique": true}]"#
                )))
    }

    @Test func legacyFormat() {
        expectFindings(
            """
            {"indexes": [«default-scope»{
              «legacy-v1beta1»"collectionId": "c",
              "fields": [
                {"fieldPath": "a", «legacy-v1beta1»"mode": "ARRAY_CONTAINS"},
                {"fieldPath": "b", «legacy-v1beta1»"mode": "DESCENDING"}]}]}
            """)
        expectFindings(index(asc("a") + #", {"fieldPath": "b", «legacy-v1beta1»"mode": «bad-enum»"DESC"}"#))
        expectFindings(
            index(asc("a") + #", {"fieldPath": "b", "order": "ASCENDING", «legacy-v1beta1»"mode": "DESCENDING"}"#))
        expectFindings(overrides(#"«missing-key»{«unknown-key»"collectionId": "c", "fieldPath": "f", "indexes": []}"#))
    }

    // MARK: Names

    @Test(arguments: ["users/x/posts", ".", "..", "__x__"])
    func invalidCollectionID(_ id: String) {
        let fields = list(asc("a"), asc("b"))
        expectFindings(
            #"{"indexes": [{"collectionGroup": «invalid-collection-id»"\#(id)", "queryScope": "COLLECTION", "fields": [\#(fields)]}]}"#
        )
        expectFindings(
            overrides(#"{"collectionGroup": «invalid-collection-id»"\#(id)", "fieldPath": "f", "indexes": []}"#))
    }

    @Test func defaultGroupTakesOnlyTheWildcard() {
        expectFindings(overrides(#"{"collectionGroup": "__default__", "fieldPath": "*", "indexes": []}"#))
        expectFindings(
            overrides(#"{"collectionGroup": "__default__", "fieldPath": «invalid-collection-id»"f", "indexes": []}"#))
    }

    @Test(arguments: ["a..b", "first-name", "5", "a.", "`a", "__x__", "a.__name__", "a[0]", "é", "*", "a b"])
    func invalidFieldPath(_ path: String) {
        expectFindings(index(asc("a") + #", {"fieldPath": «invalid-field-path»"\#(path)", "order": "ASCENDING"}"#))
        guard path != "*" else { return }
        expectFindings(
            overrides(#"{"collectionGroup": "c", "fieldPath": «invalid-field-path»"\#(path)", "indexes": []}"#))
    }

    @Test func longPathsAndIDs() {
        let long = String(repeating: "a", count: 1501)
        expectFindings(index(asc("b") + #", {"fieldPath": «invalid-field-path»"\#(long)", "order": "ASCENDING"}"#))
        expectFindings(
            overrides(#"{"collectionGroup": «invalid-collection-id»"\#(long)", "fieldPath": "f", "indexes": []}"#))
    }

    @Test(arguments: ["`5`", "`first-name`.x", "`*`", "a.b.c", "`é`"])
    func validFieldPath(_ path: String) {
        expectFindings(index(list(asc("a"), asc(path))))
        expectFindings(overrides(override("[]", path: path)))
    }

    @Test func overrideOfTheName() {
        expectFindings(
            overrides(#"{"collectionGroup": "c", "fieldPath": «invalid-field-path»"__name__", "indexes": []}"#))
    }

    // MARK: Composites

    @Test(arguments: [
        asc("a"), desc("a"), contains("a"), list(asc("a"), asc("__name__")), list(desc("a"), desc("__name__")),
        list(contains("a"), asc("__name__")),
    ])
    func singleFieldComposite(_ fields: String) {
        expectFindings(index(fields, mark: "«single-field-composite»"))
        expectFindings(index(fields, scope: "COLLECTION_GROUP", mark: "«single-field-composite»"))
        #expect(read(index(fields)).indexes == [])
    }

    /// I-19, I-59, J-32: these are distinct indexes.
    @Test(arguments: [
        list(asc("a"), desc("__name__")), list(desc("a"), asc("__name__")), list(contains("a"), desc("__name__")),
        desc("__name__"), vector("v"), list(asc("a"), desc("a")), list(contains("a"), asc("a")),
    ])
    func legalThoughItLooksLikeOneField(_ fields: String) {
        expectFindings(index(fields))
        #expect(read(index(fields)).indexes.count == 1)
    }

    @Test func singleFieldCompositeSaysWhatToWriteInstead() {
        let source = index(desc("a.`b c`"), scope: "COLLECTION_GROUP")
        let message = ConfigurationReader.read(Array(source.utf8)).findings[0].message
        #expect(
            message.hasSuffix(
                #"{"collectionGroup":"c","fieldPath":"a.`b c`","indexes":[{"order":"DESCENDING","queryScope":"COLLECTION_GROUP"},{"order":"ASCENDING","queryScope":"COLLECTION"},{"order":"DESCENDING","queryScope":"COLLECTION"},{"arrayConfig":"CONTAINS","queryScope":"COLLECTION"}]}"#
            ), "\(message)")
        #expect(
            ConfigurationReader.read(Array(index(asc("a")).utf8)).findings[0].message.hasSuffix("remove this entry"))
    }

    @Test func nameNotLast() {
        let name = #"{"fieldPath": «name-not-last»"__name__", "order": "ASCENDING"}"#
        expectFindings(index(list(name, asc("a"))))
        expectFindings(index(list(asc("a"), name, asc("b"))))
        expectFindings(index(list(asc("a"), name, asc("__name__"))))
        expectFindings(index(asc("a") + #", {"fieldPath": «name-not-last»"__name__", "arrayConfig": "CONTAINS"}"#))
        expectFindings(index(list(asc("a"), desc("b"), asc("__name__"))))
        expectFindings(index(list(asc("a"), asc("__name__"), vector("v"))))
        expectFindings(index(list(name, asc("a"), vector("v"))))
    }

    @Test func ambiguousNameDirection() {
        let open = desc("a") + ", «ambiguous-name-direction»" + contains("b")
        expectFindings(index(open))
        expectFindings(index(desc("a") + ", «ambiguous-name-direction»" + vector("b")))
        expectFindings(index(list(desc("a"), contains("b"), asc("__name__"))))
        expectFindings(index(list(asc("a"), contains("b"))))
        expectFindings(index(list(contains("a"), desc("b"))))
    }

    @Test func uselessNameIndex() {
        expectFindings(index(asc("__name__"), mark: "«useless-name-index»"))
    }

    @Test func repeatedField() {
        let again = #"{"fieldPath": «repeated-field»"a", "order": "ASCENDING"}"#
        expectFindings(index(list(asc("a"), again)))
        expectFindings(index(list(asc("`a`"), asc("b"), again)))
        expectFindings(index(list(contains("rating"), asc("testId"), asc("rating"))))
        expectFindings(index(list(asc("a"), asc("testId"), desc("a"))))
    }

    @Test func multipleArrayFields() {
        expectFindings(
            index(
                list(contains("a"), asc("b"))
                    + #", {"fieldPath": "c", "arrayConfig": «multiple-array-fields»"CONTAINS"}"#))
        expectFindings(index(list(contains("a"), asc("b"))))
    }

    @Test func vectorFields() {
        let early = #"{"fieldPath": «vector-not-last»"v", "vectorConfig": {"dimension": 3, "flat": {}}}"#
        expectFindings(index(list(early, asc("a"))))
        expectFindings(index(list(asc("a"), early, asc("__name__"))))
        expectFindings(index(list(asc("a"), early, vector("w"))))
        expectFindings(index(list(asc("a"), vector("v"))))
        for dimension in ["0", "-1", "1.5", "2049", "1e999"] {
            expectFindings(index(list(asc("a"), vector("v", "«vector-dimension»" + dimension))))
        }
        for dimension in ["1", "2048", "3.0"] { expectFindings(index(list(asc("a"), vector("v", dimension)))) }
    }

    @Test func duplicateIndex() {
        func entries(_ first: String, _ second: String, _ mark: String) -> String {
            #"{"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [\#(first)]}, "#
                + #"\#(mark){"fields": [\#(second)], "collectionGroup": "c", "queryScope": "COLLECTION"}]}"#
        }
        let base = list(asc("a"), desc("b"))
        expectFindings(entries(base, base, "«duplicate-index»"))
        expectFindings(entries(base, list(base, desc("__name__")), "«duplicate-index»"))
        expectFindings(entries(base, list(asc("`a`"), desc("b")), "«duplicate-index»"))
        expectFindings(entries(base, list(base, asc("__name__")), ""))
        expectFindings(entries(base, list(desc("b"), asc("a")), ""))
        #expect(read(entries(base, base, "")).indexes.count == 1)
    }

    @Test func coveredByGroupIndex() {
        let fields = "[" + list(asc("a"), desc("b")) + "]"
        expectFindings(
            """
            {"indexes": [
              «covered-by-group-index»{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": \(fields)},
              {"collectionGroup": "c", "queryScope": "COLLECTION_GROUP", "fields": \(fields)},
              {"collectionGroup": "d", "queryScope": "COLLECTION", "fields": \(fields)}]}
            """)
    }

    @Test func enterpriseOnly() {
        func with(_ rest: String) -> String {
            #"{"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", \#(rest), "fields": [\#(asc("a")), \#(asc("b"))]}]}"#
        }
        for rest in [
            #""density": «enterprise-only»"DENSE""#, #""density": «enterprise-only»"SPARSE_ANY""#,
            #""multikey": «enterprise-only»true"#, #""apiScope": «enterprise-only»"MONGODB_COMPATIBLE_API""#,
            #""apiScope": «enterprise-only»"DATASTORE_MODE_API""#, #""density": "SPARSE_ALL""#,
            #""density": "DENSITY_UNSPECIFIED""#, #""multikey": false"#, #""apiScope": "ANY_API""#,
        ] {
            expectFindings(with(rest))
        }
        expectFindings(
            index(
                asc("a")
                    + #", {"fieldPath": "b", "searchConfig": «enterprise-only»{"textSpec": {"indexSpecs": [{"indexType": "TOKENIZED", "matchType": «bad-enum»"X"}]}}}"#
            ))
    }

    // MARK: Overrides

    @Test func overrideDropsDefaults() {
        expectFindings(
            overrides(override(#"«override-drops-defaults»[{"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}]"#))
        )
        expectFindings(
            overrides(override(#"«override-drops-defaults»[{"order": "ASCENDING", "queryScope": "COLLECTION"}]"#)))
        expectFindings(
            overrides(override(#"[\#(automaticEntries), {"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}]"#)))
        expectFindings(overrides(override("[]")))
    }

    /// I-10: an override inside an exempt map, or in an exempt group, replaces what it inherits, not the automatic
    /// indexes.
    @Test func overridesReplaceWhatTheyInherit() {
        let ascending = #"[{"order": "ASCENDING", "queryScope": "COLLECTION"}]"#
        expectFindings(overrides(override("[]", path: "m") + ", " + override(ascending, path: "m.f")))
        expectFindings(overrides(override("[]", path: "*") + ", " + override(ascending, path: "f")))
        expectFindings(
            overrides(
                #"{"collectionGroup": "__default__", "fieldPath": "*", "indexes": []}, "#
                    + override(ascending, path: "*")))
        expectFindings(
            overrides(
                override(ascending.replacing("[{", with: "«override-drops-defaults»[{"), path: "m")
                    + ", «override-equals-default»" + override(ascending, path: "m.f")))
    }

    @Test func overrideEqualsDefault() {
        expectFindings(overrides("«override-equals-default»" + override("[\(automaticEntries)]")))
        expectFindings(
            overrides("«override-equals-default»" + override("[\(automaticEntries)]", rest: #""ttl": false, "#)))
        expectFindings(overrides("«override-equals-default»" + override("[\(automaticEntries)]", path: "*")))
    }

    @Test func duplicateOverride() {
        expectFindings(overrides(override("[]") + ", «duplicate-override»" + override("[]", path: "`f`")))
        expectFindings(overrides(override("[]") + ", " + override("[]", path: "g")))
        let ascending = #"{"order": "ASCENDING", "queryScope": "COLLECTION"}"#
        expectFindings(
            overrides("«override-equals-default»" + override("[\(automaticEntries), «duplicate-override»\(ascending)]"))
        )
    }

    /// Whether a deployment changes something each time (J-31) decides what to do.
    @Test func adviceOnRepeatedOverrides() {
        let (expiring, lasting) = (#""ttl": true, "#, #""ttl": false, "#)
        let ascending = #"[{"order": "ASCENDING", "queryScope": "COLLECTION"}]"#
        func advice(_ first: String, _ second: String) -> (message: String?, isContradiction: Bool) {
            let source = Array(overrides(first + ",\n" + second).utf8)
            let findings = ConfigurationReader.read(source).findings.filter { $0.rule.id == "duplicate-override" }
            let places = ConfigurationReader.contradictions(in: source, for: .standard)
            #expect(places.isSubset(of: findings.map(\.offset)))
            return (findings.first?.message, !places.isEmpty)
        }
        func expect(_ first: String, _ second: String, _ words: String, isContradiction: Bool = false) {
            let found = advice(first, second)
            #expect(found.message?.contains("at line 1") == true && found.message?.hasSuffix(words) == true, "\(found)")
            #expect(found.isContradiction == isContradiction, "\(found)")
        }
        expect(override("[]"), override("[]", path: "`f`"), ": remove one of them")
        expect(override("[]", rest: expiring), override("[]"), #": remove the one without "ttl""#)
        expect(override("[]"), override("[]", rest: lasting), #": remove the one without "ttl""#)
        expect(override("[]"), override(ascending), ": merge them", isContradiction: true)
        expect(
            override("[]", rest: lasting), override("[]", rest: expiring), ": merge them", isContradiction: true)
        expect(override("[]", rest: expiring), override(ascending), ": merge them", isContradiction: true)
        let between = advice(override("[]", rest: expiring), override("[]") + ",\n" + override("[]", rest: lasting))
        #expect(between.isContradiction)
        let apart = advice(override("[]"), override(ascending, path: "g"))
        #expect(apart.message == nil && !apart.isContradiction)
    }

    @Test func theLastOfRepeatedOverridesCounts() {
        let configuration = read(overrides(override("[]") + ", " + override("[\(automaticEntries)]")))
        #expect(configuration.fieldOverrides.map(\.indexes) == [SingleFieldIndex.automatic])
    }

    @Test func timeToLive() {
        expectFindings(overrides(override("«ttl-field-indexed»[\(automaticEntries)]", rest: #""ttl": true, "#)))
        expectFindings(overrides(override("[]", rest: #""ttl": true, "#)))
        expectFindings(
            overrides(
                override("[]", rest: #""ttl": true, "#) + ", "
                    + override("[]", path: "g", rest: #""ttl": «multiple-ttl-fields»true, "#)))
        expectFindings(
            overrides(
                override("[]", rest: #""ttl": true, "#) + ", " + override("[]", path: "g", rest: #""ttl": false, "#)))
    }

    // MARK: Limits

    @Test func fieldLimit() {
        func fields(_ count: Int, _ mark: String) -> String {
            (0..<count).map { ($0 == 100 ? mark : "") + asc("f\($0)") }.joined(separator: ", ")
        }
        expectFindings(index(fields(100, "")))
        expectFindings(index(fields(100, "") + ", " + desc("__name__")))
        expectFindings(index(fields(102, "«limit-fields»")))
    }

    @Test(arguments: [
        (200, ""), (201, "«limit-composite-count-free»"), (1000, "«limit-composite-count-free»"),
        (1001, "«limit-composite-count»"),
    ])
    func indexLimit(_ count: Int, _ mark: String) {
        let entries = (0..<count).map {
            #"{"collectionGroup": "c\#($0)", "queryScope": "COLLECTION", "fields": [\#(asc("a")), \#(asc("b"))]}"#
        }
        expectFindings(#"{\#(mark)"indexes": [\#(entries.joined(separator: ",\n"))]}"#)
    }

    @Test(arguments: [(200, ""), (201, "«limit-override-count-free»"), (1001, "«limit-override-count»")])
    func overrideLimit(_ count: Int, _ mark: String) {
        let entries = (0..<count).map { override("[]", path: "f\($0)") }
        expectFindings(#"{"indexes": [], \#(mark)"fieldOverrides": [\#(entries.joined(separator: ",\n"))]}"#)
    }

    // MARK: All of them

    @Test func endlessViolationsAreAllReported() {
        let source = #"{"indexes": [\#(Array(repeating: "1", count: 10_001).joined(separator: ","))]}"#
        let messages = ConfigurationReader.read(Array(source.utf8)).findings.filter { $0.rule.id == "wrong-type" }.map(
            \.message)
        #expect(messages.count == 10_001)
        #expect(messages[9_999] == "this must be an object, not a number")
        #expect(messages[10_000] == LintRule.named("wrong-type")?.title)
    }

    @Test func rulesAreWellFormed() {
        #expect(Set(LintRule.all.map(\.id)).count == LintRule.all.count)
        for rule in LintRule.all {
            #expect(rule.id.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }, "\(rule.id)")
            #expect(!rule.title.isEmpty && rule.explanation.count > 60, "\(rule.id)")
            #expect(LintRule.named(rule.id)?.title == rule.title)
        }
    }
}
