// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

/// FirebaseFirestore treats a `Decimal` as an `NSNumber`, whose type is double.
@Suite struct DecimalTests {
    private struct Item: Codable, Equatable {
        var price: Decimal
        var discount: Decimal?
        var history: [Decimal] = []
        var rates: [String: Decimal] = [:]
    }

    private let sample: Sample
    private let items: CollectionReference

    init() throws {
        sample = try Sample()
        items = sample.database.collection("items")
    }

    private func decimal(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }

    private func isDouble(_ value: Any?, _ number: Double) -> Bool {
        guard let value = value as? NSNumber else { return false }
        return String(cString: value.objCType) == "d" && value.doubleValue == number
    }

    @Test func storedAsADoubleAndReadBack() throws {
        let item = Item(
            price: try decimal("19.99"), discount: try decimal("0.1"), history: [try decimal("18.5"), 20],
            rates: ["a": try decimal("-7.25")])
        let document = items.document("a")
        try document.sync.setData(from: item)
        let stored = try document.sync.getDocument()
        #expect(isDouble(stored["price"], 19.99) && isDouble(stored["discount"], 0.1))
        #expect(isDouble((stored["history"] as? [Any])?[1], 20) && isDouble(stored["rates.a"], -7.25))
        #expect(try stored.data(as: Item.self) == item)
        #expect(try stored.get("price", as: Decimal.self) == item.price)
        #expect(try Firestore.Decoder().decode(Item.self, from: Firestore.Encoder().encode(item)) == item)
    }

    /// Every price in cents, compared with Swift's own conversion from text.
    @Test func everyPrice() throws {
        for cents in stride(from: 1, to: 100_000, by: 7) {
            let text = "\(cents / 100).\(cents % 100 / 10)\(cents % 10)"
            let item = Item(price: try decimal(text))
            let data = try Firestore.Encoder().encode(item)
            try #require(data["price"] as? Double == Double(text), "\(text)")
            try #require(try Firestore.Decoder().decode(Item.self, from: data) == item, "\(text)")
        }
    }

    @Test func dictionaries() throws {
        let document = items.document("a")
        let price = try decimal("19.99")
        let optional: Decimal? = price
        try document.sync.setData([
            "a": price, "b": NSDecimalNumber(decimal: price), "c": [price], "d": ["e": price], "f": optional as Any,
            "g": Decimal?.none as Any, "nan": Decimal.nan,
        ])
        try document.sync.updateData(["h": price, "list": FieldValue.arrayUnion([price])])
        let stored = try document.sync.getDocument()
        for field in ["a", "b", "d.e", "f", "h"] { #expect(isDouble(stored[field], 19.99), "\(field)") }
        for field in ["c", "list"] { #expect(isDouble((stored[field] as? [Any])?.first, 19.99), "\(field)") }
        #expect(stored["g"] is NSNull && (stored["nan"] as? Double)?.isNaN == true)
    }

    @Test func queries() throws {
        for price in ["9.99", "19.99", "29.99", "39.99"] {
            try items.document(price).sync.setData(from: Item(price: try decimal(price)))
        }
        func names(_ query: Query) throws -> [String] { try query.sync.getDocuments().documents.map(\.documentID) }
        #expect(try names(items.whereField("price", isLessThan: 30)) == ["9.99", "19.99", "29.99"])
        #expect(try names(items.whereField("price", isEqualTo: 19.99)) == ["19.99"])
        #expect(try names(items.whereField("price", isEqualTo: decimal("19.99"))) == ["19.99"])
        #expect(try names(items.whereField("price", in: [decimal("19.99"), decimal("9.99")])) == ["19.99", "9.99"])
        #expect(try names(items.order(by: "price").start(at: [decimal("29.99")])) == ["29.99", "39.99"])
    }

    @Test func otherNumbers() throws {
        func price(_ value: Any) throws -> Decimal {
            try Firestore.Decoder().decode(
                Item.self, from: ["price": value, "history": [Any](), "rates": [String: Any]()]
            ).price
        }
        #expect(try price(Int64.max) == decimal("9223372036854775807"))
        #expect(try price(-0.5) == decimal("-0.5"))
        #expect(try price(1e20) == decimal("100000000000000000000"))
        #expect(try price(Double.nan).isNaN)
        for wrong in [Double.infinity, 1e300, "19.99", true, NSNull()] as [Any] {
            #expect(throws: DecodingError.self) { try price(wrong) }
        }
    }
}
