// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import TestSupport
import Testing

/// W-5: commits that no state of the database allows. They are refused before rules are asked, in the words of the official emulator
/// 1.19.9, of which each answer is.
@Suite struct ContradictoryWritesTests {
    private let database: TemporaryDatabase
    private let path: DocumentPath = "c/d"

    init() throws { database = try TemporaryDatabase() }

    /// Why rules that deny everything, or else the engine, refuse a commit.
    private func refusal(_ writes: [Write]) -> (StatusCode, String)? {
        do throws(EngineError) {
            _ = try database.engine.commit(writes, if: { (_, _) throws(EngineError) in throw .denied("denied") })
            return nil
        } catch {
            return (error.status, error.message)
        }
    }

    /// `s`et, `c`reate, `u`pdate and `d`elete, the last one with `-` if the document must be missing, and with `+` if it must not.
    private func write(_ name: Substring) throws -> Write {
        let update = Write.Operation.update(["n": 1], mask: nil, transforms: [])
        switch name {
        case "s": return Write(path, update)
        case "c": return Write(path, update, precondition: .exists(false))
        case "u": return Write(path, update, precondition: .exists(true))
        case "d": return Write(path, .delete)
        case "d-": return Write(path, .delete, precondition: .exists(false))
        case "d+": return Write(path, .delete, precondition: .exists(true))
        default:
            try #require(name == "other")
            return Write.set("c/e", [:])
        }
    }

    @Test(arguments: [
        ("s c", "upsert then insert"), ("s d-", "upsert then delete"), ("c c", "insert then insert"),
        ("c d-", "insert then delete"), ("u c", "update then insert"), ("u d-", "update then delete"),
        ("d u", "delete then update"), ("d d+", "delete then delete"), ("d- u", "delete then update"),
        ("d- d+", "delete then delete"), ("d+ u", "delete then update"), ("d+ d+", "delete then delete"),
        // What the first write was counts.
        ("d- s c", "insert then insert"), ("d- c d-", "insert then delete"), ("d+ s c", "update then insert"),
        ("d+ c d-", "update then delete"), ("c d c c", "insert then insert"), ("d- d- c c", "insert then insert"),
        ("s other c", "upsert then insert"), ("d s c", "upsert then insert"),
    ])
    func contradictions(_ names: String, _ words: String) throws {
        let refused = refusal(try names.split(separator: " ").map { try write($0) })
        #expect(refused?.0 == .invalidArgument)
        #expect(refused?.1 == "Cannot \(words) an entity in the same request.")
    }

    @Test(arguments: [
        "s s", "s u", "s d", "s d+", "c s", "c u", "c d", "c d+", "u s", "u u", "u d", "u d+", "d s", "d c", "d d",
        "d d-", "d- s", "d- c", "d- d", "d- d-", "d+ s", "d+ c", "d+ d", "d+ d-", "s d c", "c d c",
    ])
    func whatSomeStateAllows(_ names: String) throws {
        let refused = refusal(try names.split(separator: " ").map { try write($0) })
        #expect(refused?.0 == .permissionDenied)
    }

    /// Also of a write that changes some fields, and in fields that it does not name.
    @Test(arguments: ["a", "b"]) func nestedArrays(_ masked: String) throws {
        let fields: Fields = ["a": 1, "b": ["m": [["k": [1, [2]]]]]]
        let update = Write.Operation.update(fields, mask: [FieldPath(name: Text(masked))], transforms: [])
        for precondition in [nil, Precondition.exists(true)] {
            let refused = refusal([Write(path, update, precondition: precondition)])
            #expect(refused?.0 == .invalidArgument && refused?.1 == "Nested arrays are not allowed")
        }
    }
}
