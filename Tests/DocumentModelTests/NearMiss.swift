// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport

/// Values that differ minimally from another one.
struct NearMiss {
    let values = ValueGenerator()

    func value(_ value: Value, _ random: inout SeededGenerator) -> Value {
        if random.chance(0.05) { return values.value(&random) }
        switch value {
        case .null: return .boolean(false)
        case .boolean(let flag): return random.chance(0.5) ? .boolean(!flag) : .null
        case .integer(let number): return integer(number, &random)
        case .double(let number): return double(number, &random)
        case .timestamp(let time):
            return .timestamp(Timestamp(microseconds: time.microseconds + random.pick([-1, 1])) ?? time)
        case .string(let text):
            return random.chance(0.1) ? .bytes(Array(text.string.utf8)) : .string(self.text(text, &random))
        case .bytes(let bytes):
            return .bytes(
                sequence(bytes, &random) { byte, _ in
                    byte &+ 1
                } new: {
                    $0.pick([0, 1, 0xFF])
                })
        case .reference(let reference): return .reference(self.reference(reference, &random))
        case .geoPoint(let point): return geoPoint(point, &random)
        case .array(let elements):
            return .array(sequence(elements, &random, changed: self.value) { values.value(&$0, depth: 0) })
        case .vector(let elements):
            return .vector(sequence(elements, &random, changed: neighbour) { $0.pick([.nan, -.infinity, -0.0, 1]) })
        case .map(let fields): return .map(self.fields(fields, &random))
        }
    }

    private func integer(_ number: Int64, _ random: inout SeededGenerator) -> Value {
        switch random.int(0..<4) {
        case 0: .integer(number &+ 1)
        case 1: .integer(number &- 1)
        case 2: .double(Double(number))
        default: .double(neighbour(Double(number), &random))
        }
    }

    private func double(_ number: Double, _ random: inout SeededGenerator) -> Value {
        if random.chance(0.3), let whole = Int64(exactly: number.rounded(.down)) { return .integer(whole) }
        return .double(neighbour(number, &random))
    }

    private func neighbour(_ number: Double, _ random: inout SeededGenerator) -> Double {
        random.pick([number.nextUp, number.nextDown, -number])
    }

    private func geoPoint(_ point: GeoPoint, _ random: inout SeededGenerator) -> Value {
        let latitude = random.chance(0.5) ? neighbour(point.latitude, &random) : point.latitude
        let longitude = random.chance(0.5) ? neighbour(point.longitude, &random) : point.longitude
        return .geoPoint(GeoPoint(latitude: latitude, longitude: longitude) ?? point)
    }

    func text(_ text: Text, _ random: inout SeededGenerator) -> Text {
        let scalars = sequence(Array(text.string.unicodeScalars), &random) { scalar, random in
            Unicode.Scalar(random.chance(0.5) ? scalar.value &+ 1 : scalar.value &- 1) ?? scalar
        } new: {
            $0.pick(["\0", "\u{1}", "\u{2}", "a", "\u{301}", "\u{10FFFF}"])
        }
        var string = ""
        string.unicodeScalars.append(contentsOf: scalars)
        return Text(string)
    }

    private func reference(_ reference: Reference, _ random: inout SeededGenerator) -> Reference {
        let database = reference.database
        guard random.chance(0.8) else {
            let other = DatabaseID(project: text(database.project, &random), database: database.database)
            return Reference(database: other, path: reference.path)
        }
        return Reference(database: database, path: path(reference.path, &random))
    }

    /// Two segments more or fewer, or one changed, but never to an empty or reserved one (D-3).
    func path(_ path: ResourcePath, _ random: inout SeededGenerator) -> ResourcePath {
        var segments = path.segments
        switch random.int(0..<4) {
        case 0: segments += [values.collectionID(&random), values.documentID(&random)]
        case 1 where segments.count > 2: segments.removeLast(2)
        default:
            let at = random.int(0..<segments.count)
            let changed = random.chance(0.5) ? text(segments[at], &random) : values.documentID(&random)
            let isReserved = changed.isReserved && ResourcePath.numericID(changed) == nil
            if changed.utf8Count > 0, !isReserved { segments[at] = changed }
        }
        return ResourcePath(segments: segments)
    }

    private func fields(_ fields: Fields, _ random: inout SeededGenerator) -> Fields {
        var changed = fields
        guard let field = fields.storage.randomElement(using: &random), random.chance(0.8) else {
            changed[random.pick(["a", "aa", "b", "z", "\0"])] = .null
            return changed
        }
        changed[field.name] = random.chance(0.2) ? nil : value(field.value, &random)
        if random.chance(0.2) { changed[text(field.name, &random)] = field.value }
        return changed
    }

    /// One element more, one fewer, or one changed.
    private func sequence<Element>(
        _ elements: [Element], _ random: inout SeededGenerator,
        changed: (Element, inout SeededGenerator) -> Element, new: (inout SeededGenerator) -> Element
    ) -> [Element] {
        var result = elements
        let choice = random.int(0..<3)
        if elements.isEmpty || choice == 0 {
            result.insert(new(&random), at: random.chance(0.7) ? elements.count : random.int(0..<elements.count + 1))
        } else if choice == 1 {
            result.remove(at: random.chance(0.7) ? elements.count - 1 : random.int(0..<elements.count))
        } else {
            let at = random.int(0..<elements.count)
            result[at] = changed(elements[at], &random)
        }
        return result
    }
}
