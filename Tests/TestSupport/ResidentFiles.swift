// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Whether the file system of temporary files tells which parts of a file are in memory, as ext4, XFS and Btrfs do. On others
/// every read is taken for one that may wait for the disk.
package func tellsWhatIsInMemory(function: String = #function) throws -> Bool {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path + "/"
    let mounts = try String(contentsOfFile: "/proc/mounts", encoding: .utf8).split(separator: "\n").map {
        $0.split(separator: " ")
    }
    let mount = mounts.filter { folder.hasPrefix($0[1] == "/" ? "/" : $0[1] + "/") }.max { $0[1].count < $1[1].count }
    if let mount, ["ext4", "xfs", "btrfs"].contains(mount[2]) { return true }
    print("\(function): the file system of temporary files does not tell what is in memory, so nothing is tested")
    return false
}
