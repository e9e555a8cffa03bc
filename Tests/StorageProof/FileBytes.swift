// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads and writes whole files.
enum FileBytes {
    struct Failure: Error {
        let path: String
        let number = errno
    }

    static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw Failure(path: path) }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        var bytes = [UInt8](repeating: 0, count: ftell(file))
        rewind(file)
        guard fread(&bytes, 1, bytes.count, file) == bytes.count else { throw Failure(path: path) }
        return bytes
    }

    static func write(_ bytes: [UInt8], _ path: String) throws {
        guard let file = fopen(path, "wb") else { throw Failure(path: path) }
        let count = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, count == bytes.count else { throw Failure(path: path) }
    }
}
