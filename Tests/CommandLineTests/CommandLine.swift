// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The result of a run of the built program.
struct Run {
    let output: String
    let errors: String
    /// Nil if a signal ended it, which is a defect on any input.
    let code: Int32?

    var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// A folder in which the built program runs.
struct Workbench {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    func path(_ name: String) -> String { folder.path(name) }

    /// Replaces a file at once, so that a server that watches it never reads a part.
    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: folder.url.appending(path: name), options: .atomic)
    }

    /// Empties a file of output, which stays the one that a running program may have open.
    func clear(_ name: String) throws { try Data().write(to: folder.url.appending(path: name)) }

    /// A program of sh in the folder.
    func program(_ name: String, _ script: String) throws {
        try write(name, "#!/bin/sh\n\(script)\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path(name))
    }

    /// Runs bash in the folder, whose programs come first.
    func bash(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Run {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["--noprofile", "--norc"] + arguments
        process.currentDirectoryURL = folder.url
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        process.environment = ["PATH": "\(folder.url.path):\(path)"].merging(environment) { $1 }
        for name in [".output", ".errors"] { try clear(name) }
        process.standardOutput = try FileHandle(forWritingTo: folder.url.appending(path: ".output"))
        process.standardError = try FileHandle(forWritingTo: folder.url.appending(path: ".errors"))
        try process.start()
        process.waitUntilExit()
        return Run(
            output: String(decoding: try contents(".output"), as: UTF8.self),
            errors: String(decoding: try contents(".errors"), as: UTF8.self), code: process.terminationStatus)
    }

    func contents(_ name: String) throws -> Data { try Data(contentsOf: folder.url.appending(path: name)) }

    func hearth(_ arguments: String..., input: String = "") throws -> Run {
        try hearth(arguments: arguments, input: input)
    }

    func hearth(arguments: [String], input: String = "") throws -> Run {
        let process = try process(arguments, input: input)
        process.waitUntilExit()
        return Run(
            output: String(decoding: try contents(".output"), as: UTF8.self),
            errors: String(decoding: try contents(".errors"), as: UTF8.self),
            code: process.terminationReason == .exit ? process.terminationStatus : nil)
    }

    /// The program, which runs. Output goes to the files `.output` and `.errors`, because a full pipe would stop it.
    func process(
        _ arguments: [String], input: String = "", from handle: FileHandle? = nil,
        environment: [String: String]? = nil
    ) throws -> Process {
        try write(".input", input)
        for name in [".output", ".errors"] { try clear(name) }
        let process = Process()
        process.executableURL = try Locations.program("hearth")
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.standardInput = try handle ?? FileHandle(forReadingFrom: folder.url.appending(path: ".input"))
        process.standardOutput = try FileHandle(forWritingTo: folder.url.appending(path: ".output"))
        process.standardError = try FileHandle(forWritingTo: folder.url.appending(path: ".errors"))
        if let environment {
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        }
        try process.start()
        return process
    }
}
