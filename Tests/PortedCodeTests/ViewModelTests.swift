// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

// Code as in most applications: Swift 5, classes without isolation, callbacks that assign to properties. This target is
// compiled in Swift 5 language mode, with warnings as errors.

struct Book: Identifiable, Codable {
    @DocumentID var id: String?
    var title: String
    var author: String
    var numberOfPages: Int

    enum CodingKeys: String, CodingKey {
        case id
        case title
        case author
        case numberOfPages = "pages"
    }
}

class BooksViewModel {
    var books = [Book]()
    var errorMessage: String?
    var onChange: () -> Void = {}

    private var db: Firestore
    private var listenerRegistration: ListenerRegistration?

    init(db: Firestore) {
        self.db = db
    }

    deinit {
        unsubscribe()
    }

    func unsubscribe() {
        if listenerRegistration != nil {
            listenerRegistration?.remove()
            listenerRegistration = nil
        }
    }

    func subscribe() {
        if listenerRegistration == nil {
            listenerRegistration = db.collection("books").order(by: "pages").addSnapshotListener {
                [weak self] (querySnapshot, error) in
                guard let documents = querySnapshot?.documents else {
                    self?.errorMessage = error?.localizedDescription ?? "No documents in 'books' collection"
                    return
                }
                self?.books = documents.compactMap { queryDocumentSnapshot in
                    let result = Result { try queryDocumentSnapshot.data(as: Book.self) }
                    switch result {
                    case .success(let book):
                        self?.errorMessage = nil
                        return book
                    case .failure(let error):
                        switch error {
                        case DecodingError.keyNotFound(let key, _):
                            self?.errorMessage = "no \(key.stringValue)"
                        default:
                            self?.errorMessage = "Error decoding document: \(error.localizedDescription)"
                        }
                        return nil
                    }
                }
                self?.onChange()
            }
        }
    }

    func fetchBook(documentId: String, done: @escaping (Book?) -> Void) {
        let docRef = db.collection("books").document(documentId)
        docRef.getDocument { document, error in
            if let error = error as NSError? {
                self.errorMessage = "Error getting document: \(error.localizedDescription)"
                done(nil)
            } else if let document = document {
                do {
                    done(try document.data(as: Book.self))
                } catch {
                    self.errorMessage = "\(error)"
                    done(nil)
                }
            }
        }
    }

    func addBook(book: Book) {
        let collectionRef = db.collection("books")
        do {
            let newDocReference = try collectionRef.addDocument(from: book)
            errorMessage = newDocReference.documentID.isEmpty ? "no ID" : nil
        } catch {
            errorMessage = "\(error)"
        }
    }

    func updateBook(book: Book) {
        if let documentId = book.id {
            do {
                try db.collection("books").document(documentId).setData(from: book)
            } catch {
                errorMessage = "\(error)"
            }
        }
    }

    func removeBook(_ book: Book) {
        if let documentId = book.id {
            db.collection("books").document(documentId).delete { error in
                if let error = error {
                    self.errorMessage = error.localizedDescription
                }
            }
        }
    }

    func countPages(done: @escaping (Int) -> Void) {
        db.runTransaction({ (transaction, errorPointer) -> Any? in
            let document: DocumentSnapshot
            do {
                try document = transaction.getDocument(self.db.document("totals/pages"))
            } catch let fetchError as NSError {
                errorPointer?.pointee = fetchError
                return nil
            }
            let total = (document.data()?["total"] as? Int ?? 0) + self.books.map(\.numberOfPages).reduce(0, +)
            transaction.setData(["total": total], forDocument: self.db.document("totals/pages"))
            return total
        }) { object, error in
            done(object as? Int ?? -1)
        }
    }
}

/// The view model is used on the queue of its callbacks, as on an application's main queue.
@Suite struct ViewModelTests {
    private let queue = DispatchQueue(label: "application")

    private class Found {
        var title = ""
        var pages = 0
    }

    private func model() throws -> BooksViewModel {
        let settings = FirestoreSettings()
        settings.cacheSettings = MemoryCacheSettings()
        settings.dispatchQueue = queue
        return BooksViewModel(db: try Database.open(path: "books", settings: settings))
    }

    /// Runs `action` on the queue, and waits until a later snapshot has the titles.
    private func expect(_ titles: [String], _ model: BooksViewModel, after action: @escaping () -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        queue.async {
            model.onChange = {
                if model.books.map(\.title) == titles { isDone.signal() }
            }
            action()
        }
        isDone.wait()
    }

    @Test func theWholeViewModel() throws {
        let model = try model()
        expect([], model) { model.subscribe() }
        let emma = Book(title: "Emma", author: "Austen", numberOfPages: 474)
        expect(["Emma"], model) { model.addBook(book: emma) }
        let alice = Book(title: "Alice", author: "Carroll", numberOfPages: 192)
        expect(["Alice", "Emma"], model) { model.addBook(book: alice) }
        expect(["Emma", "Alice"], model) {
            var longer = model.books[0]
            longer.numberOfPages = 500
            model.updateBook(book: longer)
        }
        let isDone = DispatchSemaphore(value: 0)
        let found = Found()
        queue.async {
            model.fetchBook(documentId: model.books[0].id ?? "") { book in
                found.title = book?.title ?? ""
                model.countPages {
                    found.pages = $0
                    isDone.signal()
                }
            }
        }
        isDone.wait()
        #expect(found.pages == 974 && found.title == "Emma")
        expect(["Alice"], model) { model.removeBook(model.books[0]) }
        queue.sync {
            #expect(model.errorMessage == nil)
            model.unsubscribe()
        }
    }
}
