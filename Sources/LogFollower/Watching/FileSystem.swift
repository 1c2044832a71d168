internal import CSQLite

/// Where a file is.
enum FileSystem {
    /// Whether the kernel sees all writes to a file, and so gives notice of them. It sees only its
    /// own ones if the file is on another machine, or in a program that provides a file system.
    static func noticesAllWrites(_ path: String) -> Bool { !others.contains(unsafe fr_file_system(path)) }

    /// By the numbers of https://man7.org/linux/man-pages/man2/statfs.2.html, and the numbers of
    /// the kernel's linux/magic.h and of virtual machines.
    private static let others: Set<Int> = [
        0x6969,  // NFS
        0x517b, 0xff53_4d42, 0xfe53_4d42,  // SMB, CIFS, SMB2
        0x6573_5546,  // FUSE, and so SSHFS and virtiofs
        0x0102_1997,  // 9P
        0x00c3_6400,  // Ceph
        0x5346_414f, 0x6b41_4653,  // AFS
        0x7375_7245,  // Coda
        0x0bd0_0bd0,  // Lustre
        0x0116_1970, 0x7461_636f,  // GFS2, OCFS2
        0x786f_4256, 0xbacb_acbc,  // shared folders of VirtualBox and VMware
    ]
}
