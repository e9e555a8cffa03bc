// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

enum LatLngFunctions {
    private static let earthRadius = 6_371_009.0

    static func make(_ arguments: [RuleValue]) throws(EvaluationError) -> RuleValue? {
        guard arguments.count == 2, let latitude = MathFunctions.float(arguments[0]),
            let longitude = MathFunctions.float(arguments[1])
        else { return nil }
        guard let point = GeoPoint(latitude: latitude, longitude: longitude) else {
            throw .other(
                "Latitude should be in [-90,90] range and longitude should be in [-180,180] range. "
                    + "latitude: \(JavaNumbers.text(latitude)), longitude: \(JavaNumbers.text(longitude)).")
        }
        return .latlng(point)
    }

    static func call(_ method: Method, _ point: GeoPoint, _ arguments: [RuleValue]) -> RuleValue? {
        switch (method, arguments.count) {
        case (.latitude, 0): return .float(point.latitude)
        case (.longitude, 0): return .float(point.longitude)
        case (.distance, 1):
            guard case .latlng(let other) = arguments[0] else { return nil }
            return .float(distance(point, other))
        default: return nil
        }
    }

    /// In metres, by the haversine formula.
    private static func distance(_ from: GeoPoint, _ to: GeoPoint) -> Double {
        let radians = Double.pi / 180
        let (first, second) = (from.latitude * radians, to.latitude * radians)
        let latitude = System.sine(0.5 * (second - first))
        let longitude = System.sine(0.5 * (to.longitude * radians - from.longitude * radians))
        let square = latitude * latitude + longitude * longitude * System.cosine(first) * System.cosine(second)
        let angle = 2 * System.arcTangent(square.squareRoot(), max(0, 1 - square).squareRoot())
        return angle * earthRadius
    }
}
