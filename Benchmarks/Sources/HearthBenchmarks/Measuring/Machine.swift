// SPDX-License-Identifier: Apache-2.0

internal import CRaw
internal import CSQLite
internal import Foundation

/// What the numbers depend on.
enum Machine {
    static var description: [String] {
        let memory = ProcessInfo.processInfo.physicalMemory >> 30
        #if DEBUG
            let build = "debug build: the numbers mean nothing"
        #else
            let build = "release build"
        #endif
        return [
            "machine: \(processor), \(ProcessInfo.processInfo.activeProcessorCount) cores, \(memory) GB; \(system)",
            "versions: Swift \(swiftVersion), SQLite \(String(cString: sqlite3_libversion())), "
                + "\(String(cString: craw_version())), GRDB 7.10.0; \(build)",
            "Hearth through its public interface, blocking form. SQLite by its C API: prepared statements, WAL, "
                + "memory map, ANALYZE, 256 MB cache, in three forms, of which the fastest counts. Raw: C over a copy of "
                + "Hearth's file, without checksums.",
            "durability: every commit synced (SQLite: synchronous=FULL), unless a row says otherwise",
            "ratios are medians over rounds in which the engines take turns",
        ]
    }

    static var processor: String {
        let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = info.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line.flatMap { $0.split(separator: ":").last }?.trimmingCharacters(in: .whitespaces)
            ?? "unknown processor"
    }

    private static var system: String {
        var name = utsname()
        uname(&name)
        let release = withUnsafeBytes(of: &name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return "\(ProcessInfo.processInfo.operatingSystemVersionString), kernel \(release)"
    }

    private static var swiftVersion: String {
        #if compiler(>=6.4)
            "6.4 or newer"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }

    /// Kilobytes of this process that are in memory and no part of a file.
    static var anonymousMemory: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
