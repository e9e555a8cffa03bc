// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import QueryPlanner
import TestSupport
import Testing

@testable import DocumentEngine

/// A set of scopes is asked as if each of them were.
@Suite struct ScopeSetTests {
    private static let collections: [CollectionPath] = {
        let paths: [[Text]] = [
            ["a"], ["b"], ["a", "1", "b"], ["a", "2", "b"], ["a", "1", "c"], ["a", "1", "b", "2", "c"],
        ]
        return paths.map { CollectionPath(ResourcePath(segments: $0)) }
    }()

    private static let scopes: [DocumentScope] = {
        var scopes: [DocumentScope] = collections.map { .collection($0) }
        let parents: [DocumentPath?] = [nil, "a/1", "a/1/b/2"]
        for parent in parents {
            scopes.append(.collectionGroup("b", under: parent))
            scopes.append(.collectionGroup("c", under: parent))
            scopes.append(.children(of: parent))
            scopes.append(.descendants(of: parent))
        }
        return scopes
    }()

    /// Of other collections: with them, scopes are looked up by what could contain a collection.
    private static let others: [DocumentScope] = (0..<10).map { .collectionGroup(Text("x\($0)"), under: nil) }

    @Test(arguments: [false, true]) func collections(areMany: Bool) {
        for scope in Self.scopes {
            let set = ScopeSet([scope] + (areMany ? Self.others : []))
            for path in Self.collections { #expect(set.contains(path) == scope.contains(path), "\(scope) \(path)") }
        }
    }

    /// Those without a collection in common here may have one elsewhere.
    @Test func overlaps() {
        for scope in Self.scopes {
            for other in Self.scopes {
                let haveOne = Self.collections.contains { scope.contains($0) && other.contains($0) }
                let overlap = ScopeSet([scope]).overlaps(ScopeSet([other]))
                #expect(overlap || !haveOne, "\(scope) \(other)")
                guard scope.collection != nil || other.collection != nil else { continue }
                #expect(overlap == haveOne, "\(scope) \(other)")
            }
        }
    }

    @Test func unions() {
        var set = ScopeSet()
        #expect(set.isEmpty)
        for scope in Self.scopes { set.formUnion(ScopeSet([scope])) }
        #expect(Self.collections.allSatisfy { set.contains($0) })
        #expect(ScopeSet(Self.others).overlaps(set))
        let single = ScopeSet(Self.collections.map { DocumentScope.collection($0) })
        #expect(!ScopeSet(Self.others).overlaps(single))
    }
}
