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
    /// Every page is checked, as by ``auditPages()``. The copy has its name once it is whole and on the device; no failure and no
    /// crash leaves a part of it. The state is kept until all of it is written, at the device's speed; meanwhile its pages are not
    /// reused, so that the file grows with what others write.
    ///
    /// - Parameters:
    ///   - compacting: leaves out free pages, and writes the others in the order of their keys.
    ///   - progress: called on this thread, inside the read, with the completed share of the work. It must not write, nor wait for
    ///     a thread that begins a transaction.
    /// - Throws: `fileExists`: nothing is overwritten; `corrupted` where a page is damaged; `diskFull`.
    package func copy(
        to destination: String, compacting: Bool, progress: ((Double) -> Void)? = nil
    ) throws(LMDBError) {
        requireSameProcess()
        let nesting = AccessFrame.nesting(in: identifier)
        require(!nesting.write, "A database was copied inside a write of the same database on the same thread.")
        guard !System.exists(destination) else { throw LMDBError(EEXIST, .copy, path: destination) }
        let folder = DatabaseFile.folder(of: destination)
        let draft: DatabaseDraft
        do throws(LMDBError) { draft = try DatabaseDraft(for: destination, in: folder) } catch {
            throw LMDBError(code: error.code, operation: .copy, path: destination)
        }
        guard let copy = try copyState(to: draft.descriptor, compacting: compacting, progress) else {
            throw failure(MDB_CORRUPTED, .copy)
        }
        copy.synchronize()
        if let reason = copy.failure {
            throw LMDBError(reason.code, .copy, path: reason.isOfSource ? path : destination)
        }
        do throws(LMDBError) { try draft.give(destination) } catch {
            throw LMDBError(code: error.code, operation: .copy, path: destination)
        }
        try DatabaseFile.synchronizeFolder(folder)
    }

    /// - Returns: nil if a page is damaged.
    private func copyState(
        to descriptor: Int32, compacting: Bool, _ progress: ((Double) -> Void)?
    ) throws(LMDBError) -> CopyFile? {
        let copy = try readState { file, header -> CopyFile? in
            let copy = CopyFile(descriptor, pageSize: file.pageSize)
            var header = header
            // As in LMDB's own copies: the one in the file is not checked.
            header.page.store(info.mapSize, at: PageFormat.Meta.mapSize)
            let isSound =
                compacting ? file.compact(to: copy, header, progress) : file.copy(to: copy, header, progress)
            return isSound ? copy : nil
        }
        return copy ?? nil
    }
}

// Checking and writing go along together, because how long each takes depends on the device and on what lies in memory: what is
// reported is the share of both. Neither goes on after the first finding or failed write.
extension PageFile {
    /// Copies the file page by page. Returns whether the pages are sound, as far as they were read before a failure.
    func copy(to copy: CopyFile, _ header: Header, _ progress: ((Double) -> Void)?) -> Bool {
        guard PageAudit.isPlausible(header.meta, in: self) else { return false }
        let end = (header.meta.lastPage + 1) * pageSize
        let audit = PageAudit.run(self, header.meta, maximumFindings: 1) { share in
            copy.append(from: self, upTo: Int(share * Double(end)))
            progress?(share)
            return copy.failure == nil
        }
        guard audit.findings.isEmpty else { return false }
        copy.append(from: self, upTo: end)
        // Free pages at the end may be missing. Others are missing if the file was cut short after they were checked.
        guard copy.failure != nil || copy.length > audit.highestPage * pageSize else { return false }
        copy.finish(header, main: header.meta.main.root, lastPage: header.meta.lastPage, keepsFreeList: true)
        return true
    }

    /// Copies the pages in use. Returns as ``copy(to:_:_:)``.
    fileprivate func compact(to copy: CopyFile, _ header: Header, _ progress: ((Double) -> Void)?) -> Bool {
        let audit = PageAudit.run(self, header.meta, copy: copy, maximumFindings: 1) { share in
            progress?(share)
            return copy.failure == nil
        }
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
