"""The Debian package: cpack makes it, and it installs and runs on a bare Debian 12 of its own."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["BUILD"])


def run(*command, **keywords):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, **keywords).stdout


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", cls.folder / "packages")
        (cls.package,) = (cls.folder / "packages").glob("soba_*.deb")

    def test_it_has_the_program_its_manual_and_its_completion(self):
        files = run("dpkg-deb", "--contents", self.package)
        for path in ("usr/bin/soba", "usr/share/man/man1/soba.1", "usr/share/bash-completion/completions/soba",
                     "usr/include/soba/run.h", "usr/share/doc/soba/copyright"):
            self.assertIn("./" + path, files)
        depends = run("dpkg-deb", "--field", self.package, "Depends")
        for library in ("libc6", "libfmt9", "libopenblas0", "zlib1g"):
            self.assertIn(library, depends)

    def test_it_installs_and_runs_on_a_bare_debian(self):
        if os.geteuid() != 0 or shutil.which("debootstrap") is None:
            self.skipTest("needs root and debootstrap")
        root = self.folder / "debian"
        mirror = os.environ.get("SOBA_DEBIAN_MIRROR", "http://deb.debian.org/debian")
        made = subprocess.run(["debootstrap", "--variant=minbase", "bookworm", str(root), mirror],
                              capture_output=True, text=True)
        if made.returncode != 0:
            self.skipTest("debootstrap failed here: " + (made.stdout + made.stderr).strip().splitlines()[-1])
        shutil.copy(self.package, root / "soba.deb")

        def inside(*command):
            return run("chroot", root, *command)

        inside("apt-get", "update", "-qq")
        inside("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq", "--no-install-recommends",
               "/soba.deb")
        self.assertRegex(inside("soba", "--version"), r"^soba \d")
        self.assertIn("played error", inside("soba", "run", "synnonsep:n=2000", "--quiet"))


if __name__ == "__main__":
    unittest.main()
