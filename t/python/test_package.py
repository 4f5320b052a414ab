"""The Python package beside the program: see t0550-package.t."""
import os
import subprocess
import sys

import numpy as np
import pytest

import wilson
from wilson.library import library
from wilson.scenario import nested, value_text

SMALL = {"electrons": 200, "accuracy": 0.3}


@pytest.fixture(scope="module")
def reid(tmp_path_factory):
    path = tmp_path_factory.mktemp("reid") / "reid.nc"
    return wilson.run("reid-ramp", SMALL, output=path, threads=1), path


def table(*words):
    out = subprocess.run([wilson.program(), *words], capture_output=True, text=True, check=True).stdout
    return out


def test_numbers_are_those_of_the_program(reid, tmp_path):
    dataset, _ = reid
    words = [w for k, v in SMALL.items() for w in ("--set", f"{k}={v}")]
    path = tmp_path / "x.nc"
    table("run", str(wilson.scenarios()["reid-ramp"]), *words, "--threads", "1", "--output", str(path), "--quiet")
    with wilson.open(path) as other:
        assert dataset["mean_energy"].values.tobytes() == other["mean_energy"].values.tobytes()
        assert list(dataset["process_name"].values) == ["A elastic", "A excitation A(exc)"]
        assert dataset["mean_energy"].attrs["units"]


def test_without_output_no_file_is_left(reid, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    held = wilson.run("reid-ramp", SMALL, threads=1)
    assert held["mean_energy"].values.tobytes() == reid[0]["mean_energy"].values.tobytes()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value, text", [
    (True, "true"), (3, "3"), (5_000_000_000, "5000000000L"), (1e-9, "1e-09"), (2.0, "2.0"), ("12 Td", '"12 Td"'),
    ('a "b" \\', '"a \\"b\\" \\\\"'), (["1 Td", "2 Td"], '["1 Td", "2 Td"]'), (np.float64(0.5), "0.5"),
    (np.array([1, 2]), "[1, 2]"), ([[1, 0], [0, 2]], "( [1, 0], [0, 2] )"), ({"a": {"b": 1}}, "{ a = { b = 1; }; }")])
def test_values(value, text):
    assert value_text(value) == text


def test_quantities_of_pint():
    pint = pytest.importorskip("pint")
    u = pint.UnitRegistry()
    assert value_text(10.0 * u.kV / u.cm) == '"10.0 kV/cm"'
    assert value_text(760.0 * u.torr).lower() == '"760.0 torr"'


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_no_value(value):
    with pytest.raises(ValueError):
        value_text(value)
    with pytest.raises(TypeError):
        value_text(object())


def test_keys_in_groups():
    assert nested({"gas.pressure": "1 atm", "gas": {"temperature": "0 C"}, "a.b.c": 1}) == \
        {"gas": {"pressure": "1 atm", "temperature": "0 C"}, "a": {"b": {"c": 1}}}
    with pytest.raises(ValueError):
        nested({"gas": 1, "gas.pressure": 2})


def test_a_mapping_is_a_scenario():
    gas = {"pressure": "1 atm", "temperature": "300 K", "components": {"N2": {"fraction": 0.8, "file": "builtin:air"},
                                                                       "O2": {"fraction": 0.2, "file": "builtin:air"}}}
    one = wilson.Scenario({"job": "swarm", "fields": ["300 Td"], "electrons": 100, "accuracy": 0.5, "gas": gas,
                           "scattering": "isotropic"})
    assert "300" in one.check()
    result = wilson.run(one, {"gas.temperature": "400 K"}, threads=1)
    assert float(result["reduced_electric_field"][0]) == pytest.approx(300, rel=1e-12)


def test_errors_name_the_key():
    with pytest.raises(wilson.InputError) as e:
        wilson.run({"job": "swarm", "foo": 1, "gas": {"pressure": "1 atmx"}})
    assert any("foo" in m and "unknown key" in m for m in e.value.messages)
    assert any("gas.pressure" in m and "atmx" in m for m in e.value.messages)
    assert "scenario.cfg:2" in str(e.value)
    with pytest.raises(wilson.InputError, match="electrons"):
        wilson.Scenario("reid-ramp", electrons=-3).check()
    with pytest.raises(FileNotFoundError, match="reid-ramp"):
        wilson.run("reid-rump")


def test_a_run_goes_on_after_a_limit(tmp_path):
    small = wilson.Scenario("landau-1d", {"species.electrons.per_cell": 20, "duration": "0.5 ns"})
    whole = wilson.run(small, output=tmp_path / "whole.nc", threads=1)
    path = tmp_path / "halted.nc"
    with pytest.raises(wilson.LimitReached, match="step_limit") as e:
        wilson.run(small, {"checkpoint.step_limit": 20}, output=path, threads=1)
    assert e.value.output == str(path) and not path.exists()
    halted = wilson.run(small, output=path, threads=1, restart="auto")
    assert halted["field_energy"].size > 20
    assert halted["field_energy"].values.tobytes() == whole["field_energy"].values.tobytes()


def test_opening_reads_no_rows(tmp_path, monkeypatch):
    """Of maps, compressed in a chunk for each row, opening reads the coordinates alone, however many rows there are."""
    import netCDF4
    from xarray.backends.netCDF4_ import NetCDF4ArrayWrapper
    read = []
    getitem = NetCDF4ArrayWrapper._getitem
    monkeypatch.setattr(NetCDF4ArrayWrapper, "_getitem", lambda self, key: read.append(self.variable_name) or getitem(self, key))
    asked = {}
    for rows in (10, 3000):
        path = tmp_path / f"{rows}.nc"
        with netCDF4.Dataset(path, "w") as f:
            f.source = "Wilson"
            for name, size in ("map_time", rows), ("x", 64), ("species", 2):
                f.createDimension(name, size)
            f.createVariable("map_time", "f8", ("map_time",))[:] = np.arange(rows)
            f.createVariable("x", "f8", ("x",))[:] = np.arange(64)
            f.createVariable("species_name", str, ("species",))[:] = np.array(["e", "i"], dtype=object)
            f.createVariable("potential", "f8", ("map_time", "x"), zlib=True, chunksizes=(1, 64))[:] = 1.0
        read.clear()
        with wilson.open(path) as dataset:
            asked[rows] = sorted(read)
            assert list(dataset["species_name"].values) == ["e", "i"]
            assert float(dataset["potential"][rows - 1, 3]) == 1.0 and read.count("potential") == 1
    assert asked[10] == asked[3000] and "potential" not in asked[10] and "map_time" in asked[10], asked


def test_a_file_of_another_program(tmp_path):
    import xarray
    xarray.Dataset({"a": 1.0}).to_netcdf(tmp_path / "a.nc")
    with pytest.raises(ValueError, match="not a result file of Wilson"):
        wilson.open(tmp_path / "a.nc")


def test_scan(tmp_path):
    base = wilson.Scenario("reid-ramp", SMALL)
    over = {"fields": [["1 Td"], ["12 Td"]], "seed": [1, 2]}
    whole = wilson.scan(base, over, tmp_path / "scan", workers=2)
    assert whole.sizes["point"] == 4
    assert list(whole["fields"].values) == ["1 Td", "1 Td", "12 Td", "12 Td"]
    energy = whole["mean_energy"].values.ravel()
    assert max(energy[:2]) < min(energy[2:]) and energy[0] != energy[1]
    stamps = [p.stat().st_mtime_ns for p in sorted((tmp_path / "scan").glob("*.nc"))]
    again = wilson.scan(base, over, tmp_path / "scan", workers=2)
    assert stamps == [p.stat().st_mtime_ns for p in sorted((tmp_path / "scan").glob("*.nc"))]
    assert again["mean_energy"].values.tobytes() == whole["mean_energy"].values.tobytes()
    with pytest.raises(ValueError, match="another scan"):
        wilson.scan(base, {"fields": [["2 Td"]]}, tmp_path / "scan")
    with pytest.raises(wilson.Error, match="point 1"):
        wilson.scan(base, {"gas.temperature": ["0 K", "-5 K"]}, tmp_path / "bad")
    assert wilson.collect(tmp_path / "bad").sizes["point"] == 1


def test_jobs_of_slurm(tmp_path):
    over = {"gas.temperature": ["0 K", "3000 K"]}
    script = wilson.slurm(wilson.Scenario("reid-ramp", SMALL), over, tmp_path / "jobs", program=wilson.program())
    for i in range(2):
        subprocess.run(["sh", str(script)], check=True, cwd=script.parent, capture_output=True,
                       env={"SLURM_ARRAY_TASK_ID": str(i), "PATH": "/usr/bin:/bin"})
    whole = wilson.collect(script.parent)
    here = wilson.scan(wilson.Scenario("reid-ramp", SMALL), over, tmp_path / "here")
    assert whole["mean_energy"].values.tobytes() == here["mean_energy"].values.tobytes()


def test_cross_sections():
    air = wilson.CrossSections("builtin:air")
    assert air.friction().dims == ("gas", "energy") and "N2" in air.friction()["gas"].values
    # the peak of friction of air is known: physics.md, some 270 keV/cm at 1 atm and 0 C, at 100 to 200 eV
    peak = float(air.friction().sel(gas="N2").idxmax("energy"))
    assert 80 < peak < 250
    assert float(air.sigma(air.processes[0]).max()) > 1e-20
    with pytest.raises(wilson.InputError):
        wilson.CrossSections("/nowhere/at/all.txt")


def test_pictures(reid, tmp_path):
    dataset, path = reid
    of_file, of_data = wilson.plot.figures(path, "all"), wilson.plot.figures(dataset, "all")
    assert len(of_file) == len(of_data) == 2 and len(wilson.plot.figures(dataset)) == 1
    for a, b in zip(of_file, of_data):
        assert [ax.get_ylabel() for ax in a.axes] == [ax.get_ylabel() for ax in b.axes]
        for x, y in zip(a.axes, b.axes):
            for p, q in zip(x.lines, y.lines):
                assert np.array_equal(p.get_xydata(), q.get_xydata(), equal_nan=True)
    wilson.plot.save(dataset, tmp_path / "x.png", what="distribution")
    assert (tmp_path / "x.png").stat().st_size > 10000
    with pytest.raises(wilson.plot.PlotError, match="maps"):
        wilson.plot.figures(dataset, what="maps")
    with pytest.raises(TypeError, match="colour"):
        wilson.plot.figures(dataset, colour="red")


def test_progress_lines():
    lines = []
    wilson.run("reid-ramp", SMALL, threads=1, progress=lines.append)
    assert any("results are in" in line for line in lines)


def test_import_needs_no_matplotlib():
    code = "import sys, wilson; sys.exit(any(m in sys.modules for m in ('matplotlib', 'xarray', 'netCDF4')))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def snippets():
    """The examples of doc/python.md, in their order; a later one may use names of an earlier one."""
    import re
    from pathlib import Path
    page = Path(__file__).parents[2] / "doc" / "python.md"
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)


def test_examples_of_the_manual(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    examples = snippets()
    assert len(examples) == 4
    for text in examples:
        if "wilson.Run(" in text and not os.path.isfile(library()):
            continue  # --disable-shared
        # shorter, as any test is: the statements are those of the page
        exec(compile(text.replace("accuracy=0.02", "accuracy=0.3").replace("electrons=2000", "electrons=200")
                     .replace('[500, 1000]', '[100, 200]'), "doc/python.md", "exec"), names)
    said = capsys.readouterr().out
    assert (tmp_path / "swarm.png").exists() and "300" in said and names["whole"].sizes["point"] == 4


def test_every_public_function_has_types_and_a_docstring():
    import inspect
    from pathlib import Path
    assert (Path(wilson.__file__).parent / "py.typed").is_file()
    public = [(n, getattr(wilson, n)) for n in wilson.__all__ if n != "plot"]
    public += [("plot." + n, getattr(wilson.plot, n)) for n in wilson.plot.__all__]
    for kind in (wilson.Scenario, wilson.CrossSections, wilson.Run):
        public += [(f"{kind.__name__}.{n}", f) for n, f in vars(kind).items() if not n.startswith("_") and inspect.isfunction(f)]
    for name, thing in public:
        assert inspect.getdoc(thing), f"{name} has no docstring"
        if inspect.isfunction(thing):
            inner = inspect.unwrap(thing)
            given = set(inner.__annotations__)
            want = set(inspect.signature(inner).parameters) - {"self"} | {"return"}
            assert want <= given, f"{name}: without a type: {sorted(want - given)}"


def test_every_function_has_types():
    """Of all modules, those that draw too, as mypy is seldom there."""
    import ast
    from pathlib import Path
    kinds = ast.FunctionDef, ast.AsyncFunctionDef
    functions = 0
    for path in sorted(Path(wilson.__file__).parent.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        methods = {f for c in ast.walk(tree) if isinstance(c, ast.ClassDef) for f in c.body if isinstance(f, kinds)
                   and not any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in f.decorator_list)}
        for f in (f for f in ast.walk(tree) if isinstance(f, kinds)):
            given = [*f.args.posonlyargs, *f.args.args][f in methods:] + f.args.kwonlyargs
            given += [a for a in (f.args.vararg, f.args.kwarg) if a is not None]
            bare = [a.arg for a in given if a.annotation is None] + ["return"] * (f.returns is None and f.name != "__init__")
            assert not bare, f"{path.name}:{f.lineno}: {f.name}: without a type: {bare}"
            functions += 1
    assert functions > 300


def test_mypy_is_content(tmp_path):
    pytest.importorskip("mypy")
    from pathlib import Path
    top = Path(wilson.__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path), "--config-file", str(top / "pyproject.toml"),
                           str(top / "python" / "wilson")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
