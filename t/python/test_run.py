"""wilson.Run beside the program: see t0550-package.t."""
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import wilson
from wilson import stepping
from wilson.library import NAME, library

TREE = Path(__file__).resolve().parents[2]
if not Path(library()).is_file():
    pytest.skip(f"there is no {NAME} (configure --disable-shared?)", allow_module_level=True)

GAP = """model = "plasma"; duration = "1 ns"; grid = { cells = [16]; length = "1 cm"; };
walls = { x_low = { field = "dirichlet"; }; x_high = { field = "dirichlet"; voltage = "5 V"; }; };
species = { e = { density = "1e11 m-3"; temperature = "1 eV"; per_cell = 20; }; };
plasma = { time_step = "20 ps"; allow = ["cell-crossing"]; integrals_interval = "40 ps"; };
"""
SWARM = {"fields": ["100 Td", "300 Td"], "duration": "20 ps", "relaxation": "5 ps", "electrons": 100, "groups": 8}
AIR = wilson.Scenario({"gas": {"components": {"N2": {"fraction": 0.79, "file": "builtin:air"}, "O2": {"fraction": 0.21,
                       "file": "builtin:air"}}}, "tables": {"energy_max": "10 keV"}}, SWARM)


def same(a, b):
    assert set(a.variables) == set(b.variables)
    for name in a.variables:
        assert a[name].values.tolist() == b[name].values.tolist() or a[name].values.tobytes() == b[name].values.tobytes(), name


@pytest.mark.parametrize("scenario", [GAP, AIR], ids=["plasma", "swarm of two fields"])
def test_the_bits_of_the_program(scenario, tmp_path):
    straight = wilson.run(scenario, threads=1)
    with wilson.Run(scenario, output=tmp_path / "x.nc", threads=2) as run:
        cases = set()
        for i in range(10000):
            run.step(1 + i % 7)
            if run.is_finished:
                break
            cases.add(run.i_case)
            assert run.sums().particles > 0 and run.sums(run.species[0]).energy > 0
        same(straight, run.finish())
        assert len(cases) == len(straight["electric_field"] if "electric_field" in straight else [0])
    assert [p.name for p in tmp_path.iterdir()] == ["x.nc"]


def test_without_output_no_file_is_left(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with wilson.Run(AIR) as run:
        run.step(3)
        folder = run.output.parent
        assert (run.n_steps, run.i_case, run.case_is_over, run.is_finished) == (3, 0, False, False) and run.time > 0
        with pytest.raises(wilson.RunError, match="not finished"):
            run.results()
    assert not folder.exists() and list(tmp_path.iterdir()) == []
    with pytest.raises(wilson.RunError, match="closed"):
        run.step()


@pytest.mark.parametrize("text", ['job = "swarm";\nfields = ["1 Tdd"];\n', 'model = "plasma";\n\ngrid = { cels = [3]; };\n', "a = ;\n"])
def test_errors_of_a_text_are_those_of_its_file(text, tmp_path):
    path = tmp_path / "scenario.cfg"
    path.write_text(text)
    with pytest.raises(wilson.InputError) as of_file:
        wilson.Run(path)
    with pytest.raises(wilson.InputError) as of_text:
        wilson.Run(text)
    with pytest.raises(wilson.InputError) as of_program:
        wilson.run(text)
    assert of_text.value.messages == [m.replace(f"{tmp_path}{os.sep}", "") for m in of_file.value.messages]
    assert of_text.value.messages == of_program.value.messages
    assert re.match(r"scenario\.cfg:[123]: ", of_text.value.messages[0])


def test_one_run_at_a_time():
    with wilson.Run(AIR) as run:
        with pytest.raises(wilson.RunError, match="has not ended"):
            wilson.Run(GAP)
        run.step()
    with wilson.Run(GAP) as run:
        run.step()


def test_until():
    with wilson.Run(GAP) as run:
        run.step(until=0.19e-9)
        assert run.n_steps == 10
        run.step(until=0.1e-9)
        assert run.n_steps == 10
        run.step(until=2.0)
        assert run.case_is_over and run.time == pytest.approx(1e-9)
        for wrong in (-1, 1.5):
            with pytest.raises(ValueError):
                run.step(wrong)
        with pytest.raises(ValueError):
            run.step(until=float("nan"))


def test_voltage_and_potential(tmp_path):
    phi = []
    for volts, scenario in ((None, GAP.replace("5 V", "80 V")), (80.0, GAP)):
        with wilson.Run(scenario) as run:
            assert run.nodes == (17,)
            with pytest.raises(wilson.RunError, match="before the first step"):
                run.potential()
            if volts:
                run.set_voltage("x_high", volts)
                with pytest.raises(wilson.InputError, match="no side or electrode `x_hihg`"):
                    run.set_voltage("x_hihg", volts)
                with pytest.raises(wilson.InputError, match="no uniform|only for job runaway"):
                    run.set_field(1.0)
            run.step(7)
            phi.append(run.potential())
            with pytest.raises(ValueError, match="no species 'i'; there are: e"):
                run.density("i")
    assert phi[0][-1] - phi[0][0] == pytest.approx(80.0) and phi[0].tobytes() == phi[1].tobytes()


def test_density_is_that_of_the_particles():
    with wilson.Run(TREE / "data" / "new" / "plasma.cfg", {"grid.cells": [8, 4], "grid.length": ["1 cm", "2 cm"],
                                                           "species.electrons.mode": [1, 0], "plasma.modes": [[1, 0]],
                                                           "species.electrons.per_cell": 16}) as run:
        run.step(3)
        n = run.density("electrons")
        assert run.nodes == n.shape == run.potential().shape == (5, 9)
        assert n[:-1, :-1].sum() * 2e-4 / 32 == pytest.approx(run.sums().particles, rel=1e-9)
        assert n[0].std() > 1e12  # the wave is along x, the last axis
        assert n[:-1, 0].std() < 0.4 * n[0].std()


def test_limit_and_restart(tmp_path):
    straight = wilson.run(GAP, threads=1)
    out, parts = tmp_path / "x.nc", 0
    while True:
        with wilson.Run(GAP, {"checkpoint.step_limit": 20}, output=out, restart="auto") as run:
            try:
                data = run.finish()
                break
            except wilson.LimitReached as limit:
                assert limit.output == str(out) and "restart auto" in str(limit)
                parts += 1
    assert parts == 2
    same(straight, data)


@pytest.fixture
def heeded_interrupts():
    """What a shell starts in the background ignores SIGINT, and Python then raises nothing."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeded_interrupts")
def test_interrupt():
    with wilson.Run("data/new/plasma.cfg" if Path("data/new/plasma.cfg").is_file() else TREE / "data/new/plasma.cfg",
                    {"duration": "1 ms", "plasma.fields_interval": "1 ms", "plasma.integrals_interval": "1 us"}) as run:
        # more than any machine does before the signal comes
        run.step(1)
        thread = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            run.finish()
        thread.join()
        at = run.n_steps
        assert at > 0
        run.step(2)
        assert run.n_steps == at + 2


def test_a_library_of_another_version(monkeypatch):
    from wilson import library as of
    monkeypatch.setattr(of, "_loaded", None)
    monkeypatch.setenv("WILSON_LIBRARY", "no-such.so")
    with pytest.raises(FileNotFoundError, match="no-such.so"):
        wilson.Run(GAP)
    monkeypatch.setenv("WILSON_LIBRARY", __file__)
    with pytest.raises(wilson.RunError, match="cannot be loaded"):
        wilson.Run(GAP)
    monkeypatch.delenv("WILSON_LIBRARY")
    monkeypatch.setattr(of, "ABI", 99)
    with pytest.raises(wilson.RunError, match="another version"):
        wilson.Run(GAP)


def test_calls_are_those_of_the_header():
    from wilson import library as of
    header = (TREE / "src" / "library" / "wilson.h").read_text()
    declared = set(re.findall(r"^[a-z].*?\b(wilson_\w+)\(", header, re.M))
    assert declared == set(of._CALLS) and int(re.search(r"define WILSON_ABI (\d+)", header)[1]) == of.ABI
    for name, of_ctypes in (("setup", of.Setup), ("state", of.State), ("sums", of.Sums)):
        body = re.sub(r"/\*.*?\*/", "", re.search(r"struct wilson_%s \{(.*?)\};" % name, header, re.S)[1], flags=re.S)
        names = [n for line in body.split(";") for n in re.findall(r"(\w+)(?:\[\d\])?(?=\s*(?:,|$))", line.strip())]
        assert names == [f[0] for f in of_ctypes._fields_], name


def test_example(tmp_path):
    example = TREE / "examples" / "library.py"
    want = re.findall(r"^    (\d.* ps .*|the circuit gave .*)$", example.read_text().split('"""')[1], re.M)
    out = subprocess.run([sys.executable, str(example), str(TREE / "data/new/runaway.cfg")], cwd=tmp_path, capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    assert out.stdout.splitlines() == want and len(want) == 9
    gave, gained = map(float, re.findall(r"([\d.]+) J", want[-1]))
    assert gave == pytest.approx(gained, rel=0.02)


def test_the_example_of_the_manual(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runaway.cfg").write_text((TREE / "data/new/runaway.cfg").read_text())
    [text] = re.findall(r"```python\n(.*?)```", (TREE / "doc/library.md").read_text(), re.S)
    names = {}
    exec(compile(text, "doc/library.md", "exec"), names)
    assert float(names["result"]["final_mean_energy"].values[0]) > 1 and "['electrons']" in capsys.readouterr().out


def test_batches_grow_and_shrink(monkeypatch):
    monkeypatch.setattr(stepping, "PAUSE", 1e-9)
    with wilson.Run(GAP) as run:
        run.step(20)
        assert run._batch == 1 and run.n_steps == 20
        monkeypatch.setattr(stepping, "PAUSE", 100.0)
        run.step(20)
        assert run._batch > 8 and run.n_steps == 40
        assert np.isfinite(run.sums().momentum).all()
