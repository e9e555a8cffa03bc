// SPDX-License-Identifier: Apache-2.0

/// The source files that a Git repository tracks, and the folders around them. `.gitignore` does not concern them.
struct TrackedFiles {
    /// From the root of the file system on.
    private var paths: Set<String> = []

    /// - Parameter root: the folder that has `.git`. Without an index that can be read, nothing is tracked.
    init(_ root: String) {
        guard let source = try? InputFile.contents("\(TrackedFiles.gitFolder(root))/index") else { return }
        var index = GitIndex(source)
        while let name = index.next() { add(name, root) }
    }

    func contains(_ path: String) -> Bool { paths.contains(path) }

    private mutating func add(_ name: String, _ root: String) {
        guard SourceFiles.isSource(name) else { return }
        var path = "\(root)/\(name)"
        while path.utf8.count > root.utf8.count, paths.insert(path).inserted,
            let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        {
            path = String(path[..<slash])
        }
    }

    /// `.git`, or the folder that it names where it is a file: in a submodule, and in a second work tree.
    private static func gitFolder(_ root: String) -> String {
        let path = "\(root)/.git"
        guard (try? System.isFolder(path)) == false, let source = try? InputFile.contents(path) else { return path }
        let text = String(decoding: source, as: UTF8.self)
        guard text.hasPrefix("gitdir:") else { return path }
        let folder = text.dropFirst(7).drop { $0 == " " }.prefix { !$0.isNewline }
        return folder.hasPrefix("/") ? String(folder) : "\(root)/\(folder)"
    }
}

/// Reads the paths in an index of Git, in the versions 2 to 4, whose objects have names of 20 bytes.
private struct GitIndex {
    private let bytes: [UInt8]
    private var position = 12
    private var version: UInt8 = 0
    private var left = 0
    private var name: [UInt8] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard bytes.count >= 12, bytes.starts(with: "DIRC".utf8), bytes[4..<7].allSatisfy({ $0 == 0 }),
            (2...4).contains(bytes[7])
        else { return }
        version = bytes[7]
        left = bytes[8..<12].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The path of the next entry; nil after the last, or if the rest is nothing that is known.
    mutating func next() -> String? {
        guard left > 0, position + 62 < bytes.count else { return nil }
        left -= 1
        let start = position
        let isExtended = version > 2 && bytes[start + 60] & 0x40 != 0
        position += isExtended ? 64 : 62
        guard let kept = keptCount(), position < bytes.count, let end = bytes[position...].firstIndex(of: 0) else {
            return nil
        }
        name.removeLast(name.count - kept)
        name += bytes[position..<end]
        // Before version 4, an entry is as long as a multiple of 8, and ends with a zero at least.
        position = version == 4 ? end + 1 : start + (end - start + 8) / 8 * 8
        return String(decoding: name, as: UTF8.self)
    }

    /// How much of the path before is the beginning of this one, which version 4 leaves out; nil if there is not so much.
    private mutating func keptCount() -> Int? {
        guard version == 4 else { return 0 }
        var dropped = -1
        var byte: UInt8
        repeat {
            guard position < bytes.count, dropped < name.count else { return nil }
            byte = bytes[position]
            position += 1
            dropped = (dropped + 1) << 7 | Int(byte & 0x7F)
        } while byte & 0x80 != 0
        return dropped <= name.count ? name.count - dropped : nil
    }
}
