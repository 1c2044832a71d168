import Foundation
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Which owners' files are read, written and deleted in the directory of cached lists.
@Suite struct CacheFolders {
    /// An object that may be where the library expects a folder or a file of its own.
    enum Obstacle: CaseIterable {
        case linkToFolder, linkToFile, danglingLink, pipe, folder, file, othersCanWrite, groupCanWrite, foreign

        /// Replaces the object at `path` with it, or changes that object accordingly.
        func put(at path: String, _ aside: String) throws {
            let manager = FileManager.default
            switch self {
            case .othersCanWrite: try #require(chmod(path, stat(path).st_mode & 0o7777 | 0o002) == 0)
            case .groupCanWrite: try #require(chmod(path, stat(path).st_mode & 0o7777 | 0o020) == 0)
            case .foreign: try #require(chown(path, 65534, 65534) == 0)
            default:
                try manager.moveItem(atPath: path, toPath: path + ".moved")
                switch self {
                case .linkToFolder, .linkToFile:
                    try manager.moveItem(atPath: path + ".moved", toPath: aside)
                    try manager.createSymbolicLink(atPath: path, withDestinationPath: aside)
                case .danglingLink: try manager.createSymbolicLink(atPath: path, withDestinationPath: aside)
                case .pipe: try #require(mkfifo(path, 0o600) == 0)
                case .folder: try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
                default: try Data("notes".utf8).write(to: URL(fileURLWithPath: path))
                }
            }
        }

        private func stat(_ path: String) -> stat {
            var info = Foundation.stat()
            lstat(path, &info)
            return info
        }

        var needsRoot: Bool { self == .foreign }
    }

    /// Everything below a directory: types, owners and contents.
    private func picture(_ directory: String) throws -> [String] {
        let names = FileManager.default.enumerator(atPath: directory)?.allObjects.compactMap { $0 as? String } ?? []
        return try names.sorted().map { name in
            let path = directory + "/" + name
            var info = stat()
            lstat(path, &info)
            let isFile = info.st_mode & S_IFMT == S_IFREG
            let content = isFile ? try Data(contentsOf: URL(fileURLWithPath: path)).hashValue : 0
            return "\(name) \(String(info.st_mode, radix: 8)) \(info.st_uid) \(content)"
        }
    }

    @Test(arguments: Obstacle.allCases.filter { $0 != .folder })
    func aFolderThatIsNotTheUsersIsNotUsed(obstacle: Obstacle) throws {
        if obstacle.needsRoot, geteuid() != 0 { return }
        let aside = TemporaryFile()
        let starts = try Starts()
        _ = try starts.fetch()
        let folder = URL(fileURLWithPath: try #require(starts.files.first)).deletingLastPathComponent().path
        try obstacle.put(at: folder, aside.path)
        let before = try picture(starts.file.cacheDirectory) + picture(aside.path)
        for _ in 1...2 { #expect(try !starts.fetch().isFromCache) }
        try starts.start { store in
            expectFailure(.io) { try store.deleteCache(named: "open items") }
            expectFailure(.io) { try store.deleteAllCaches() }
        }
        #expect(try picture(starts.file.cacheDirectory) + picture(aside.path) == before)
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            return target?.hasPrefix(starts.file.cacheDirectory) ?? false
        }
        #expect(open == [])
        try? FileManager.default.removeItem(atPath: aside.path)
    }

    @Test(arguments: Obstacle.allCases)
    func aFileThatIsNotTheUsersIsReplacedAndNothingElseTouched(obstacle: Obstacle) throws {
        if obstacle.needsRoot, geteuid() != 0 { return }
        let aside = TemporaryFile()
        let starts = try Starts()
        _ = try starts.fetch()
        let file = try #require(starts.files.first)
        try obstacle.put(at: file, aside.path)
        let target = try? Data(contentsOf: URL(fileURLWithPath: aside.path))
        try starts.start { store in
            // An object that is no list is not deleted.
            if obstacle != .file, obstacle != .othersCanWrite, obstacle != .groupCanWrite {
                try store.deleteCache(named: "open items")
                try store.deleteAllCaches()
                #expect((try? FileManager.default.attributesOfItem(atPath: file)) != nil)
            }
        }
        #expect(try !starts.fetch().isFromCache)
        #expect(try starts.fetch().isFromCache == (obstacle != .folder))
        #expect((try? Data(contentsOf: URL(fileURLWithPath: aside.path))) == target)
    }

    @Test func aDirectoryThatOthersCanWriteToIsUsedWithItsStickyBitOnly() throws {
        let starts = try Starts()
        _ = try starts.fetch()
        for (mode, isUsed) in [(0o777, false), (0o770, false), (0o1777, true), (0o755, true)] {
            #expect(chmod(starts.file.cacheDirectory, mode_t(mode)) == 0)
            #expect(try starts.fetch().isFromCache == isUsed)
        }
        guard geteuid() == 0 else { return }
        #expect(chown(starts.file.cacheDirectory, 65534, 65534) == 0)
        #expect(try !starts.fetch().isFromCache)
    }

    @Test func aDirectoryMayBeReachedThroughALink() throws {
        var starts = try Starts()
        let link = TemporaryFile()
        try FileManager.default.createDirectory(atPath: starts.file.cacheDirectory, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: starts.file.cacheDirectory)
        starts.options.cacheDirectory = link.path
        _ = try starts.fetch()
        #expect(try starts.fetch().isFromCache)
    }

    @Test func halfWrittenFilesOfKilledProcessesAreDeleted() throws {
        let starts = try Starts()
        _ = try starts.fetch()
        let file = try #require(starts.files.first)
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        func make(_ name: String) -> String {
            #expect(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data(count: 100)))
            return "\(folder)/\(name)"
        }
        func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
        let left = make("open%20items.list.00c0ffee00c0ffee")
        let written = make("other.list.0123456789abcdef")
        let names = ["notes", "notes.list.txt", "a.list.0123456789ABCDEF", "b.list.123", "list.0123456789abcdef"]
        let others = names.map(make)
        let writer = open(written, O_RDWR)
        #expect(flock(writer, LOCK_EX | LOCK_NB) == 0)
        // The next start that writes a list cleans up.
        try starts.start { try $0.execute("INSERT INTO other VALUES (1, 1)") }
        _ = try starts.fetch()
        #expect(!exists(left) && exists(written) && exists(file) && others.allSatisfy(exists))
        try starts.start { try $0.deleteAllCaches() }
        #expect(exists(written) && !exists(file) && others.allSatisfy(exists))
        close(writer)
        try starts.start { try $0.deleteAllCaches() }
        #expect(!exists(written) && others.allSatisfy(exists))
    }

    @Test func aFileIsLockedAsLongAsItIsWritten() throws {
        let file = TemporaryFile()
        defer { try? FileManager.default.removeItem(atPath: file.cacheDirectory) }
        let folder = try #require(try CacheFolder("lists", in: file.cacheDirectory, isMade: true))
        do {
            let writer = try ListFileWriter("a.list", in: folder)
            writer.write(1)
            let name = try #require(try folder.names().first { $0.hasPrefix("a.list.") })
            #expect(ListFileWriter.isTemporary(name, ofSuffix: ".list"))
            #expect(try #require(ListFile(name, in: folder)).lock() == false)
        }
        #expect(try folder.names().filter { $0 != "." && $0 != ".." } == [])
    }
}
