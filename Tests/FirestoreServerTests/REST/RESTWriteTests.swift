// SPDX-License-Identifier: Apache-2.0

#if Server
    import Testing

    /// Which writes the REST interface refuses and takes, as the emulator does.
    @Suite struct RESTWriteTests {
        let server: TestServer

        init() async throws {
            server = try TestServer()
            let made = try await server.rest("PATCH", "/c/a", #"{"fields":{"n":{"integerValue":"1"}}}"#)
            try #require(made.status == 200)
        }

        private static let name = Names.document("c/a")

        /// The write must be refused, and leave nothing behind, whichever call it is sent by.
        private func refuse(_ write: String) async throws {
            for verb in ["commit", "batchWrite"] {
                let reply = try await server.rest("POST", ":\(verb)", #"{"writes":[\#(write)]}"#)
                #expect(reply.error?.status == "INVALID_ARGUMENT", "\(verb) \(write): \(reply.text)")
            }
            let left = try await server.rest("GET", "/c/a")
            #expect(left.text.contains(#""n":{"integerValue":"1"}"#), "\(write): \(left.text)")
            #expect(left.object["createTime"] as? String == left.object["updateTime"] as? String, "\(write)")
        }

        @Test(arguments: [#""n""#, #"{"0":"n"}"#, "{}", "5"]) func masksThatAreNone(_ paths: String) async throws {
            try await refuse(
                #"{"update":{"name":"\#(Self.name)","fields":{"n":{"integerValue":"2"}}},"updateMask":{"fieldPaths":\#(paths)}}"#)
        }

        @Test(arguments: [
            #"{"arrayValue":{"values":[{"integerValue":"1"}]}}"#, #"{"values":{"integerValue":"1"}}"#,
            #"{"integerValue":1}"#,
        ])
        func elementsThatAreNone(_ array: String) async throws {
            for operation in ["appendMissingElements", "removeAllFromArray"] {
                try await refuse(
                    #"{"transform":{"document":"\#(Self.name)","fieldTransforms":[{"fieldPath":"n","\#(operation)":\#(array)}]}}"#)
            }
        }
    }
#endif
