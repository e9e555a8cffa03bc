// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

extension Environment {
    /// The number of bytes that ``copy(to:compacting:progress:)`` would write.
    package func copiedByteCount(compacting: Bool) throws(LMDBError) -> Int {
        let info = info
        return (info.pages - (compacting ? try countFreePages() : 0)) * info.pageSize
    }

    /// Writes one state of the database to a new file of mode 0600, while others read and write.
    ///
    /// Every page is checked, as by ``auditPages()``. The copy is on the device when this returns; on failure no file is left.
    ///
    /// - Parameters:
    ///   - compacting: leaves out free pages, and writes the others in the order of their keys.
    ///   - progress: called on this thread with the completed share of the work.
    /// - Throws: `fileExists`: nothing is overwritten; `corrupted` where a page is damaged; `diskFull`.
    package func copy(
        to destination: String, compacting: Bool, progress: ((Double) -> Void)? = nil
    ) throws(LMDBError) {
        requireSameProcess()
        let nesting = AccessFrame.nesting(in: identifier)
        require(!nesting.write, "A database was copied inside a write of the same database on the same thread.")
        let descriptor = System.open(destination, .newFile)
        guard descriptor >= 0 else { throw LMDBError(System.lastError, .copy, path: destination) }
        defer { System.close(descriptor) }
        do throws(LMDBError) {
            let copy = CopyFile(descriptor, pageSize: info.pageSize)
            let isSound = try readState { file, header in
                compacting ? file.compact(to: copy, header, progress) : file.copy(to: copy, header, progress)
            }
            if let code = copy.failure { throw LMDBError(code, .copy, path: destination) }
            guard isSound == true else { throw failure(MDB_CORRUPTED, .copy) }
            guard System.synchronize(descriptor) == 0 else {
                throw LMDBError(System.lastError, .copy, path: destination)
            }
            try DatabaseFile.synchronizeFolder(DatabaseFile.folder(of: destination))
        } catch {
            System.remove(destination)
            throw error
        }
    }
}

// Checking and writing go along together, because how long each takes depends on the device and on what lies in memory: what is
// reported is the share of both.
extension PageFile {
    /// Copies the file page by page. Returns whether the pages are sound.
    fileprivate func copy(to copy: CopyFile, _ header: Header, _ progress: ((Double) -> Void)?) -> Bool {
        let end = (header.meta.lastPage + 1) * pageSize
        let audit = PageAudit.run(self, header.meta) { share in
            copy.append(from: self, upTo: Int(share * Double(end)))
            progress?(share)
        }
        guard audit.findings.isEmpty else { return false }
        copy.append(from: self, upTo: end)
        copy.finish(header, main: header.meta.main.root, lastPage: header.meta.lastPage, keepsFreeList: true)
        return true
    }

    /// Copies the pages in use. Returns whether they are sound.
    fileprivate func compact(to copy: CopyFile, _ header: Header, _ progress: ((Double) -> Void)?) -> Bool {
        let audit = PageAudit.run(self, header.meta, copy: copy, progress: progress)
        guard audit.findings.isEmpty else { return false }
        let lastPage = copy.length / pageSize - 1
        copy.finish(header, main: audit.root, lastPage: lastPage, keepsFreeList: false)
        return true
    }
}

extension CopyFile {
    /// Writes both meta pages, of the same state: the next commit replaces the older one.
    fileprivate func finish(_ header: PageFile.Header, main: Int, lastPage: Int, keepsFreeList: Bool) {
        let transaction = header.meta.transaction
        for number in 0..<PageFormat.Meta.count {
            let state = number == MetaPage.number(of: transaction) ? transaction : max(0, transaction - 1)
            var page = header.page
            page.store(number, at: PageFormat.Header.number)
            page.store(main, at: PageFormat.Meta.main + PageFormat.Record.root)
            page.store(lastPage, at: PageFormat.Meta.lastPage)
            page.store(state, at: PageFormat.Meta.transaction)
            if !keepsFreeList { page.storeEmptyTree(at: PageFormat.Meta.freeList) }
            write(meta: page, number: number)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func store(_ number: Int, at offset: Int) {
        unsafe withUnsafeMutableBytes { unsafe $0.storeBytes(of: number, toByteOffset: offset, as: Int.self) }
    }

    /// Keeps the flags, and what LMDB has in place of others.
    fileprivate mutating func storeEmptyTree(at offset: Int) {
        let record = PageFormat.Record.self
        for field in [record.branchPages, record.leafPages, record.overflowPages, record.entries] {
            store(0, at: offset + field)
        }
        store(record.noPage, at: offset + record.root)
        (self[offset + record.depth], self[offset + record.depth + 1]) = (0, 0)
    }
}
