"""Builds soba from the C++ sources beside this folder: by CMake, with this very interpreter.

SOBA_PYTHON_MODULE=FILE takes an extension module that is built already. In a wheel, the shared
libraries that are not everywhere go along, and are found beside the module.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
VERSION = re.search(r'SOBA_VERSION "(.+?)"', (ROOT / "include/soba/version.h").read_text())[1]
# Of the C and C++ run time, which every Debian with Python has.
EVERYWHERE = re.compile(r"(ld-linux|linux-vdso|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)\.so)")


def run(*command):
    subprocess.run([str(word) for word in command], check=True)


def pybind11_folder():
    try:
        import pybind11
    except ImportError:
        return []
    return [f"-Dpybind11_DIR={pybind11.get_cmake_dir()}"]


def built_module(folder):
    """The extension module, made by CMake in `folder`."""
    run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
        "-DSOBA_BUILD_PYTHON=ON", "-DSOBA_BUILD_CLI=OFF", "-DSOBA_BUILD_TESTS=OFF",
        f"-DPython_EXECUTABLE={sys.executable}", *pybind11_folder())
    run("cmake", "--build", folder, "--target", "_soba")
    return next((folder / "python/soba").glob("_soba.*.so"))


def needed_libraries(module):
    """{name: path} of the shared libraries that may be missing elsewhere."""
    listing = subprocess.run(["ldd", module], check=True, capture_output=True, text=True).stdout
    pairs = re.findall(r"^\s*(\S+) => (/\S+)", listing, re.MULTILINE)
    return {name: path for name, path in pairs if not EVERYWHERE.match(name)}


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        target = pathlib.Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        given = os.environ.get("SOBA_PYTHON_MODULE")
        module = pathlib.Path(given) if given else built_module(ROOT / "build/python")
        shutil.copy2(module, target)
        libraries = needed_libraries(target)
        if libraries:
            self.carry(target, libraries)

    def carry(self, target, libraries):
        """Copies the libraries beside the module, which then looks for them there first."""
        if shutil.which("patchelf") is None:
            raise SystemExit("soba: patchelf is missing; apt-get install patchelf")
        folder = target.parent / "libraries"
        folder.mkdir(exist_ok=True)
        for name, path in libraries.items():
            shutil.copy2(path, folder / name)
            os.chmod(folder / name, 0o755)
            run("patchelf", "--set-rpath", "$ORIGIN", folder / name)
        run("patchelf", "--set-rpath", "$ORIGIN/libraries", target)


setup(
    name="soba",
    version=VERSION,
    description="Online multiclass learning with bandit feedback",
    license="Apache-2.0",
    python_requires=">=3.9",
    install_requires=["numpy"],
    extras_require={"all": ["scipy", "pandas", "scikit-learn", "matplotlib"]},
    packages=["soba"],
    package_data={"soba": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("soba._soba", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
