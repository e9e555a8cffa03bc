// SPDX-License-Identifier: Apache-2.0

/// Paths of modules as lists of names: those of files, and those by which files import them.
enum ModulePath {
    /// The names of files that stand for their folders.
    private static let heads: Set<String> = ["index", "__init__"]
    private static let extensions: Set<String> = [
        "js", "ts", "mjs", "cjs", "jsx", "tsx", "mts", "cts", "vue", "svelte",
    ]

    /// The path of a file: `src/names/index.ts` is `["src", "names"]`.
    static func of(file path: String) -> [String] {
        var names = parts(path)
        guard let last = names.popLast() else { return [] }
        let name = last.split(separator: ".").dropLast().joined(separator: ".")
        return heads.contains(name) && !names.isEmpty ? names : names + [name]
    }

    /// The path of what a file of JavaScript imports from `./names`, or by a short name for a folder, as in `@/names`.
    static func of(import text: String, in file: String) -> [String] {
        var names = parts(text)
        if text.hasPrefix(".") {
            let up = text.split(separator: "/").prefix { $0 == "." || $0 == ".." }.count { $0 == ".." }
            names = folder(of: file, up: up) + names
        } else if let first = names.first, ["@", "~", "#", "$"].contains(where: { first.hasPrefix($0) }) {
            names.removeFirst()
        }
        guard let last = names.popLast() else { return [] }
        let pieces = last.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let isWhole = pieces.count < 2 || !extensions.contains(pieces[pieces.count - 1])
        let name = isWhole ? last : pieces.dropLast().joined(separator: ".")
        return heads.contains(name) && !names.isEmpty ? names : names + [name]
    }

    /// The folder of a file, or one around it. What is around the current folder has no names.
    static func folder(of file: String, up count: Int) -> [String] {
        Array(parts(file).dropLast(1 + count))
    }

    /// The names in a path.
    private static func parts(_ path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." && $0 != ".." }.map(String.init)
    }
}
