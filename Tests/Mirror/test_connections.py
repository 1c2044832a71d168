"""Connections with TLS, passwords, a password file and a service file."""

from __future__ import annotations

import os
import shutil
import subprocess
import unittest
from pathlib import Path
from unittest import mock

from mirror_support import MirrorTest, Session

PASSWORD = "very:sec\\ret"


def openssl(folder: Path, *arguments: str) -> None:
    done = subprocess.run(["openssl", *arguments], cwd=folder, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise AssertionError(f"openssl {arguments}: {done.stderr}")


def make_authority(folder: Path, name: str) -> None:
    """A certificate authority: NAME.pem and NAME.key."""
    new = ["-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.pem"]
    openssl(folder, "req", "-x509", *new, "-days", "2", "-subj", f"/CN={name}")


@unittest.skipIf(shutil.which("openssl") is None, "there is no openssl")
class ConnectionTests(MirrorTest):
    """The server has a certificate for `localhost`, and a role that needs TLS and a password."""

    def setUp(self) -> None:
        super().setUp()
        self.folder = self.path.parent
        data = self.server.data
        make_authority(self.folder, "right")
        make_authority(self.folder, "wrong")
        openssl(
            self.folder, "req", "-newkey", "rsa:2048", "-nodes", "-keyout", "server.key", "-out", "server.csr",
            "-subj", "/CN=localhost",
        )  # fmt: skip
        openssl(
            self.folder, "x509", "-req", "-in", "server.csr", "-CA", "right.pem", "-CAkey", "right.key",
            "-CAcreateserial", "-days", "2", "-out", "server.pem",
        )  # fmt: skip
        owner = data.stat()
        for name in ("server.key", "server.pem"):
            shutil.copy(self.folder / name, data / name)
            os.chown(data / name, owner.st_uid, owner.st_gid)
            os.chmod(data / name, 0o600)
        rules = data / "pg_hba.conf"
        before = rules.read_text()
        self.addCleanup(self.configure, before)
        quoted = PASSWORD.replace("'", "''")
        self.role = f"guarded_{self.database}"
        self.sql("SET password_encryption = 'scram-sha-256'")
        self.sql(f"CREATE ROLE {self.role} LOGIN SUPERUSER PASSWORD '{quoted}'")
        self.sql("ALTER SYSTEM SET ssl_key_file = 'server.key'")
        self.sql("ALTER SYSTEM SET ssl_cert_file = 'server.pem'")
        self.sql("ALTER SYSTEM SET ssl = on")
        self.configure(
            f"hostssl all {self.role} 127.0.0.1/32 scram-sha-256\nhost all {self.role} 127.0.0.1/32 reject\n{before}"
        )
        self.passwords = self.folder / "passwords"
        escaped = PASSWORD.replace("\\", "\\\\").replace(":", "\\:")
        self.passwords.write_text(f"localhost:{self.server.port}:*:{self.role}:{escaped}\n")
        self.passwords.chmod(0o600)
        environment = mock.patch.dict(os.environ, PGPASSFILE=str(self.passwords))
        environment.start()
        self.addCleanup(environment.stop)

    def configure(self, rules: str) -> None:
        """Replaces the rules of who may connect."""
        (self.server.data / "pg_hba.conf").write_text(rules)
        self.sql("SELECT pg_reload_conf()")
        # Another connection has the new configuration when it begins.
        session = Session(self.server.conninfo(self.database))
        session.run("SELECT 1")
        session.close()

    def secure(self, authority: str = "right", host: str = "localhost") -> None:
        """Mirrors connect with TLS from now on, with the certificate of an authority."""
        self.conninfo = (
            f"host={host} port={self.server.port} user={self.role} dbname={self.database} sslmode=verify-full"
            f" sslrootcert={self.folder}/{authority}.pem"
        )

    def refuses(self, sentence: str) -> None:
        done = self.run_mirror(self.arguments(options=("--once", "--verbose")))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(sentence, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertFalse(self.path.exists())

    def check_secrets(self) -> None:
        """The password is in the password file alone."""
        files = [*self.folder.iterdir(), Path(self.server.folder, "log")]
        holders = [path for path in files if path.is_file() and b"sec\\ret" in path.read_bytes()]
        self.assertEqual([path for path in holders if path != self.passwords], [])

    def test_a_mirror_with_tls_connects_again(self) -> None:
        self.secure()
        mirror = self.mirror()
        self.catch_up(mirror)
        used = "SELECT ssl, usename FROM pg_stat_ssl JOIN pg_stat_replication USING (pid)"
        self.assertEqual(self.sql(used), [f"t|{self.role}"])
        self.sql(f"SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = '{self.slot}'")
        while "trying again" not in mirror.output():
            self.catch_up(mirror)
        self.catch_up(mirror)
        self.assertEqual(self.sql(used), [f"t|{self.role}"])
        self.assertEqual(mirror.end(), 0)
        self.check_secrets()

    def test_a_certificate_of_another_authority(self) -> None:
        self.secure("wrong")
        self.refuses("certificate verify failed")
        self.check_secrets()

    def test_a_certificate_of_another_host(self) -> None:
        self.secure(host="127.0.0.1")
        self.refuses('server certificate for "localhost" does not match host name "127.0.0.1"')

    def test_a_connection_without_tls(self) -> None:
        self.secure()
        self.conninfo += " sslmode=disable"
        self.refuses("pg_hba.conf rejects")

    def test_a_wrong_password(self) -> None:
        self.secure()
        self.passwords.write_text("*:*:*:*:not this sec\\\\ret\n")
        self.refuses("password authentication failed")
        self.assertNotIn("not this", self.run_mirror(self.arguments()).stderr)

    def test_no_password(self) -> None:
        self.secure()
        self.passwords.unlink()
        self.refuses("no password supplied")

    def test_a_service_file(self) -> None:
        self.secure()
        services = self.folder / "services"
        lines = "\n".join(self.conninfo.split())
        services.write_text(f"[shop]\n{lines}\n")
        self.conninfo = "service=shop"
        with mock.patch.dict(os.environ, PGSERVICEFILE=str(services)):
            self.once()
            self.assert_same("marks")
            self.conninfo = ""
            with mock.patch.dict(os.environ, PGSERVICE="shop"):
                self.once()
        self.check_secrets()

    def test_a_uri_with_a_password(self) -> None:
        self.conninfo = (
            f"postgresql://{self.role}:very%3Asec%5Cret@localhost:{self.server.port}/{self.database}"
            f"?sslmode=verify-full&sslrootcert={self.folder}/right.pem"
        )
        self.assertNotIn("sec", self.once())
        self.check_secrets()


if __name__ == "__main__":
    unittest.main()
