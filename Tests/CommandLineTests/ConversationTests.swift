// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Programs that write a line to the tool and wait for the answer before they write the next line.
@Suite struct ConversationTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
        _ = try bench.hearth("set", "a.db", "c/d", #"{"a":1}"#)
    }

    @Test func commits() throws {
        var conversation = try Conversation(bench, ["commit", "a.db", "-"])
        for number in 1...3 {
            let answer = try conversation.ask(
                #"{"id":\#(number),"writes":[{"update":{"name":"c/\#(number)","fields":{}}}]}"#)
            #expect(answer.hasPrefix(#"{"id":\#(number),"commitTime":"#), "\(answer)")
        }
        #expect(try conversation.end() == 0)
    }

    @Test(arguments: [
        ["query", "a.db", "--format", "json", "--queries", "-"], ["check", "--format", "json", "--queries", "-"],
    ])
    func queries(_ arguments: [String]) throws {
        var conversation = try Conversation(bench, arguments)
        for number in 1...3 {
            let answer = try conversation.ask(#"{"id":\#(number),"query":"c.limit(1)"}"#)
            #expect(answer.hasPrefix(#"{"id":\#(number),"#), "\(answer)")
        }
        #expect(try conversation.end() == 0)
    }
}

/// The tool with a pipe on either side.
private struct Conversation {
    struct NoAnswer: Error {}

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var rest: [UInt8] = []

    init(_ bench: Workbench, _ arguments: [String]) throws {
        process.executableURL = try Locations.program("hearth")
        process.arguments = arguments
        process.currentDirectoryURL = bench.folder.url
        process.standardInput = input
        process.standardOutput = output
        try process.start()
    }

    /// Returns the line of the answer. Waits a minute for it.
    mutating func ask(_ line: String) throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
        let descriptor = output.fileHandleForReading.fileDescriptor
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeFirst(end + 1) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, 60_000) == 1 else {
                process.terminate()
                throw NoAnswer()
            }
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw NoAnswer() }
            rest += piece
        }
    }

    func end() throws -> Int32 {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
