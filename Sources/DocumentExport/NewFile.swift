// SPDX-License-Identifier: Apache-2.0

/// A file that is written from its beginning, for its owner only.
struct NewFile {
    private let path: String
    private let file: OpenFile

    /// Replaces the contents of a file that exists.
    init(_ path: String) throws(ExportError) {
        self.path = path
        do throws(SystemError) { file = try OpenFile(path, .replace) } catch {
            throw ExportError(unwritable: path, error)
        }
    }

    func append(_ bytes: [UInt8]) throws(ExportError) {
        do throws(SystemError) { try file.append(bytes) } catch { throw ExportError(unwritable: path, error) }
    }
}
