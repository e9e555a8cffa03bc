// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The operations of a program on the files of a directory, in order, and the disks that a power cut could leave.
///
/// A power cut keeps what was synced, and any part of the rest: none, all, the first few, some, parts of some in units
/// of 512 bytes. It keeps writes through a descriptor that syncs by itself. It keeps a name once its directory was
/// synced.
struct Recording {
    enum Event {
        case write(file: UInt64, offset: Int, bytes: Range<Int>, isDurable: Bool)
        case truncate(file: UInt64, size: Int)
        case sync(file: UInt64)
        case name(String, file: UInt64)
        case folderSync
        case mark(Int)
    }

    private(set) var events: [Event] = []
    private let data: [UInt8]

    init(contentsOf url: URL) throws {
        data = [UInt8](try Data(contentsOf: url))
        var offset = 0
        while offset < data.count {
            let kind = data[offset]
            let file = UInt64(integer(offset + 1))
            let place = integer(offset + 9)
            let bytes = offset + 25..<offset + 25 + integer(offset + 17)
            switch kind {
            case UInt8(ascii: "W"): events.append(.write(file: file, offset: place, bytes: bytes, isDurable: false))
            case UInt8(ascii: "D"): events.append(.write(file: file, offset: place, bytes: bytes, isDurable: true))
            case UInt8(ascii: "T"): events.append(.truncate(file: file, size: place))
            case UInt8(ascii: "S"): events.append(.sync(file: file))
            case UInt8(ascii: "L"): events.append(.name(String(decoding: data[bytes], as: UTF8.self), file: file))
            case UInt8(ascii: "F"): events.append(.folderSync)
            case UInt8(ascii: "M"): events.append(.mark(place))
            default: throw CocoaError(.fileReadCorruptFile)
            }
            offset = bytes.upperBound
        }
    }

    private func integer(_ offset: Int) -> Int {
        data.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Int.self)
    }
}

extension Recording {
    /// A disk after a power cut: the file with one name, nil if the name was lost, and the last mark before the cut.
    struct Disk {
        var contents: [UInt8]?
        var promised = -1
        var isNameDurable = false
    }

    /// How much of the unsynced data is kept.
    enum Fate: CaseIterable {
        case none, all, beginning, some, parts
    }

    /// The disk if the power fails after the first `count` events.
    func disk(after count: Int, name: String, _ fate: Fate, _ random: inout SeededGenerator) -> Disk {
        var disk = Disk()
        var durable: [UInt64: [UInt8]] = [:]
        var pending: [UInt64: [Event]] = [:]
        var names: (durable: UInt64?, current: UInt64?)
        for event in events[..<count] {
            switch event {
            case .write(let file, _, _, true): apply(event, to: &durable[file, default: []])
            case .write(let file, _, _, false), .truncate(let file, _): pending[file, default: []].append(event)
            case .sync(let file):
                for event in pending.removeValue(forKey: file) ?? [] { apply(event, to: &durable[file, default: []]) }
            case .name(let other, let file): if other == name { names.current = file }
            case .folderSync: names.durable = names.current
            case .mark(let number): disk.promised = number
            }
        }
        disk.isNameDurable = names.durable != nil
        guard let file = fate == .none ? names.durable : names.current else { return disk }
        var contents = durable[file] ?? []
        for event in kept(pending[file] ?? [], fate, &random) { apply(event, to: &contents) }
        disk.contents = contents
        return disk
    }

    private func kept(_ pending: [Event], _ fate: Fate, _ random: inout SeededGenerator) -> [Event] {
        switch fate {
        case .none: []
        case .all: pending
        case .beginning: Array(pending[..<random.int(0..<pending.count + 1)])
        case .some: pending.filter { _ in random.chance(0.5) }
        case .parts: pending.flatMap { sectors($0, &random) }
        }
    }

    /// Some of the 512-byte units of a write.
    private func sectors(_ event: Event, _ random: inout SeededGenerator) -> [Event] {
        guard case .write(let file, let offset, let bytes, _) = event else { return [event] }
        let share = random.pick([0.1, 0.5, 0.9])
        var parts: [Event] = []
        var start = offset
        while start < offset + bytes.count {
            let end = min(offset + bytes.count, (start / 512 + 1) * 512)
            let part = bytes.lowerBound + start - offset..<bytes.lowerBound + end - offset
            if random.chance(share) { parts.append(.write(file: file, offset: start, bytes: part, isDurable: false)) }
            start = end
        }
        return parts
    }

    private func apply(_ event: Event, to contents: inout [UInt8]) {
        switch event {
        case .write(_, let offset, let bytes, _):
            let end = offset + bytes.count
            if contents.count < end { contents += [UInt8](repeating: 0, count: end - contents.count) }
            contents.replaceSubrange(offset..<end, with: data[bytes])
        case .truncate(_, let size):
            if contents.count > size {
                contents.removeSubrange(size...)
            } else {
                contents += [UInt8](repeating: 0, count: size - contents.count)
            }
        default: break
        }
    }
}
