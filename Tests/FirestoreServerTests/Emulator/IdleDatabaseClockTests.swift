// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentEngine
    import DocumentModel
    import FirestoreProtocol
    import TestSupport
    import Testing

    @testable import FirestoreServer

    // No commit has a time at which a database was read before it was closed.
    extension IdleDatabaseTests {
        /// What a reader has seen stays so, also if the system's clock goes back.
        @Test(arguments: [false, true]) func noCommitIsBeforeARead(_ isWritten: Bool) async throws {
            if isWritten { try await write(id("a")) }
            let before = registry.clock.now
            let later = try #require(Timestamp(microseconds: before.microseconds + 3_600_000_000))
            try await registry.setClock(to: later)
            #expect(try await read(id("a")) == isWritten)
            try await closeAll()
            let refusal = await #expect(throws: RequestError.self) { try await registry.setClock(to: before) }
            #expect(refusal?.status == .failedPrecondition)
            registry.clock.set(before)
            let commit = try await service.commit([.set("c/e", [:])], transaction: nil, in: id("a"), by: .administrator)
            #expect(commit.commitTime > later)
        }

        @Test func noCommitIsBeforeAReadThatIsForgotten() async throws {
            let before = registry.clock.now
            let later = try #require(Timestamp(microseconds: before.microseconds + 3_600_000_000))
            registry.clock.set(later)
            #expect(try await registry.database(id("a")).engine.readTime() >= later)
            try await closeAll()
            #expect(registry.notes.isEmpty)
            await #expect(throws: RequestError.self) { try await registry.setClock(to: before) }
            registry.clock.set(before)
            let commit = try await service.commit([.set("c/d", [:])], transaction: nil, in: id("a"), by: .administrator)
            #expect(commit.commitTime > later)
        }
    }
#endif
