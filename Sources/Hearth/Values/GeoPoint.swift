// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// A geographic point.
///
/// Calls that store or compare a point throw `invalidArgument` if its latitude is outside -90...90 or its longitude
/// outside -180...180.
public struct GeoPoint: Sendable, Hashable, Codable {
    /// The latitude, in degrees north.
    public let latitude: Double
    /// The longitude, in degrees east.
    public let longitude: Double

    /// Creates a point.
    ///
    /// - Parameters:
    ///   - latitude: degrees, -90 to 90.
    ///   - longitude: degrees, -180 to 180.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    init(_ stored: DocumentModel.GeoPoint) {
        self.init(latitude: stored.latitude, longitude: stored.longitude)
    }

    func stored() throws(FirestoreError) -> DocumentModel.GeoPoint {
        if let stored = DocumentModel.GeoPoint(latitude: latitude, longitude: longitude) { return stored }
        guard (-90...90).contains(latitude) else {
            throw .invalidArgument(
                "GeoPoint requires a latitude value in the range of [-90, 90], but was \(latitude)")
        }
        throw .invalidArgument(
            "GeoPoint requires a longitude value in the range of [-180, 180], but was \(longitude)")
    }
}

extension GeoPoint: CustomStringConvertible {
    /// `<FIRGeoPoint: (latitude, longitude)>`
    public var description: String { "<FIRGeoPoint: (\(latitude), \(longitude))>" }
}
