"""The package as it is installed: by pip, and as a wheel that carries its libraries."""
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULE = os.environ.get("SOBA_PYTHON_MODULE")
pytestmark = pytest.mark.skipif(not MODULE, reason="SOBA_PYTHON_MODULE names no module")


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sources")
    shutil.copytree(ROOT / "python", folder / "python",
                    ignore=shutil.ignore_patterns("build", "dist", "*.egg-info"))
    (folder / "include/soba").mkdir(parents=True)
    shutil.copy(ROOT / "include/soba/version.h", folder / "include/soba")
    return folder / "python"


def environment():
    """Without the packages of this build, so that nothing but what is installed is found."""
    return {**{k: v for k, v in os.environ.items() if k != "PYTHONPATH"}, "LC_ALL": "C.UTF-8"}


def test_pip_installs_it_without_a_network(sources, tmp_path):
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", venv], check=True)
    subprocess.run([venv / "bin/pip", "install", "--no-build-isolation", "--no-index", "--no-deps",
                    "-q", sources], check=True, env=environment())
    program = ("import soba; m = soba.Model('auto', labels=['a', 'b']); m.reward(m.decide({'x': 1}), True);"
               "print(soba.__file__)")
    told = subprocess.run([venv / "bin/python", "-c", program], check=True, capture_output=True,
                          text=True, env=environment(), cwd=tmp_path).stdout
    assert told.startswith(str(venv))


def test_a_wheel_carries_its_libraries(sources, tmp_path):
    subprocess.run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--skip-dependency-check",
                    "-o", tmp_path, sources], check=True, capture_output=True, env=environment())
    (wheel,) = tmp_path.glob("soba-*.whl")
    shutil.unpack_archive(wheel, tmp_path / "site", "zip")
    (module,) = (tmp_path / "site/soba").glob("_soba*.so")
    assert (tmp_path / "site/soba/py.typed").exists()
    libraries = [module, *(tmp_path / "site/soba/libraries").iterdir()]
    assert len(libraries) > 4
    for library in libraries:
        for line in subprocess.run(["ldd", library], check=True, capture_output=True,
                                   text=True).stdout.splitlines():
            name, _, where = line.strip().partition(" => ")
            common = ("linux-vdso", "/lib64/ld-linux", "libc.so", "libm.so", "libstdc++", "libgcc_s",
                      "libdl", "librt", "libpthread")
            if not name.startswith(common):
                assert where.startswith(str(tmp_path / "site/soba/libraries")), line
    program = "import soba; print(soba.run('synsep:n=500').rounds)"
    env = {**environment(), "PYTHONPATH": str(tmp_path / "site")}
    assert subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True,
                          env=env, cwd=tmp_path).stdout == "500\n"
