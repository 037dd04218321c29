#!/usr/bin/env python3
"""Interrupts layerlab at random moments, and checks that nothing is lost.

    tests/stress/interrupt.py [N]          N signals (150): SIGKILL, SIGTERM, SIGINT; to the worker,
                                           to layerlab, or to both
    tests/stress/interrupt.py --two [N]    N times (20): two processes train one grid, and one of
                                           them is killed

Afterwards every table of every record but `timing`, the last checkpoints and `done` must equal those
of an uninterrupted run, byte for byte; no process and no half-written file may be left, nothing may
hang, and no run may have taken more steps than it has. Only Python's standard library is needed.
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 120  # seconds that anything may take

SMALL = """
[task]
length = 6
symbols = 8
[model]
depth = 2
width = 8
heads = 2
ff = 16
{model}
[train]
steps = {steps}
batch = 8
checkpoint_every = 7
{train}
"""

GRIDS = {
    "analyses": SMALL.format(steps=60, model="dropout = 0.1", train="eval_every = 20\nclip = 0.5")
    + """
[probe]
every = 10
analyses = ["amplification", "sharpness", "dependency"]
[grid]
"model.block" = ["post_ln", "pre_ln"]
seed = "1..3"
""",
    "pairs": SMALL.format(steps=80, model='kind = "encoder_decoder"\ndropout = 0.1', train="")
    .replace("length = 6\nsymbols = 8", 'name = "pairs"\npath = "pairs.tsv"')
    + """
[grid]
seed = "1..4"
""",
    "bfloat16": SMALL.format(
        steps=90, model="", train='dtype = "bfloat16"\noptimizer = "radam"\nschedule = "wsd"\ndecay = 20'
    )
    + """
[grid]
"train.lr" = [1e-3, 1e-2, 1e30]
seed = "1..2"
""",
    "search": SMALL.format(steps=40, model="", train="")
    + """
[grid]
seed = "1..3"
[search]
key = "train.lr"
values = [1e-3, 1e-2, 1e-1, 1, 10]
passes = "final('loss') / chance_loss() < 1.5"
""",
    "origin": SMALL.format(steps=50, model="", train="target_accuracy = 0.9\neval_every = 10")
    + """
[grid]
"model.block" = ["post_ln", "pre_ln"]
seed = "1..2"
[origin]
model.block = "pre_ln"
train.steps = 30
""",
}


class Failure(Exception):
    pass


def check(condition, text):
    if not condition:
        raise Failure(text)


def descendants(pid):
    """The process's children that are workers, as the system knows them."""
    try:
        text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split()]


def send(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


class Runner:
    """Runs layerlab in a folder of its own."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        for name, text in GRIDS.items():
            (folder / f"{name}.toml").write_text(text)
        words = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
        lines = [f"{a} {b}\t{b} {a}" for a in words for b in words]
        (folder / "pairs.tsv").write_text("\n".join(lines) + "\n")

    def start(self, name, out, *more):
        return subprocess.Popen(
            [self.program, "run", f"{name}.toml", "--out", out, "--jobs", "1", "--device", "cpu", *more],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )

    def finish(self, process):
        """What it printed, once it has ended."""
        try:
            output, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Failure("it hangs") from None
        return output + errors

    def run(self, name, out, *more):
        """Runs it to its end, which is 5 where runs diverged."""
        process = self.start(name, out, *more)
        said = self.finish(process)
        check(process.returncode in (0, 5), f"exit code {process.returncode}: {said}")
        return said


def record_of(cell):
    """The rows of each table but timing, as a hash."""
    tables = {}
    with sqlite3.connect(f"file:{cell}/record.db?mode=ro", uri=True) as database:
        check(database.execute("PRAGMA integrity_check").fetchone()[0] == "ok", "record is malformed")
        names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in names:
            if name == "timing" or name.startswith("sqlite_"):
                continue
            digest, count = hashlib.sha256(), 0
            for row in database.execute(f'SELECT * FROM "{name}"'):
                digest.update(repr(row).encode())
                count += 1
            tables[name] = (count, digest.hexdigest())
    database.close()
    return tables


def results(folder):
    """All that must be reproducible, by cell and part."""
    found = {}
    for cell in sorted((folder / "cells").iterdir()):
        check((cell / "done").exists(), f"{cell.name} has not ended")
        parts = {"done": (cell / "done").read_text()}
        parts.update(record_of(cell))
        checkpoints = sorted((cell / "checkpoint").glob("step-*"))
        if checkpoints:
            last = checkpoints[-1]
            parts["checkpoint"] = (last.name, hashlib.sha256(last.read_bytes()).hexdigest())
        found[cell.name] = parts
        left = [str(path) for path in cell.rglob("*.tmp-*")]
        check(not left, f"half-written files are left: {left}")
        done = json.loads(parts["done"])
        taken = json.loads((cell / "manifest.json").read_text())["steps"]
        check(taken <= done["steps"], f"{cell.name} took {taken} steps of {done['steps']}")
    return found


def compare(got, wanted):
    check(got.keys() == wanted.keys(), "other cells")
    for cell, parts in wanted.items():
        check(got[cell].keys() == parts.keys(), f"{cell} has other parts: {got[cell].keys()}")
        for part, value in parts.items():
            if got[cell][part] != value:
                raise Failure(f"{cell}: {part} differs: {got[cell][part]}, uninterrupted {value}")


def wait_until_gone(pids):
    end = time.monotonic() + PATIENCE
    while any(os.path.exists(f"/proc/{pid}") and state(pid) != "Z" for pid in pids):
        check(time.monotonic() < end, f"a worker of a killed layerlab is left: {pids}")
        time.sleep(0.05)


def state(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "Z"


def victims(pid, workers, target):
    return {"worker": workers, "layerlab": [pid], "both": [pid, *workers]}[target]


def interrupt_once(runner, name, out, chance, seconds):
    """Sends one signal after a random time. Returns what was done, or nothing if it ended before."""
    process = runner.start(name, out, "--replicas", str(chance.choice([1, 2, 4])))
    number = chance.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
    target = chance.choice(["worker", "layerlab", "both"])
    time.sleep(chance.uniform(0.05, seconds))
    workers = descendants(process.pid)
    if process.poll() is not None or (target != "layerlab" and not workers):
        runner.finish(process)
        return None
    for pid in victims(process.pid, workers, target):
        send(pid, number)
    said = runner.finish(process)
    wait_until_gone(workers)
    if number != signal.SIGKILL:
        expected = {130, -number}  # itself, before it has begun to listen
    else:
        expected = {2} if target == "worker" else {-number}
    code = process.returncode
    check(code in expected | {0, 5}, f"{number.name} to {target}: exit code {code}: {said}")
    return number.name, target


def references(runner):
    """What uninterrupted grids give, and the seconds that they take."""
    wanted, seconds = {}, {}
    for name in GRIDS:
        begin = time.monotonic()
        runner.run(name, f"whole-{name}")
        seconds[name] = time.monotonic() - begin
        wanted[name] = results(runner.folder / f"whole-{name}")
    print(f"{sum(map(len, wanted.values()))} runs in {len(GRIDS)} grids, uninterrupted", flush=True)
    return wanted, seconds


def signals(runner, count, chance):
    wanted, seconds = references(runner)
    sent, rounds = collections.Counter(), 0
    while sent.total() < count:
        name = chance.choice(list(GRIDS))
        rounds += 1
        out = f"broken-{rounds}"
        for _ in range(chance.randint(1, 6)):
            done = interrupt_once(runner, name, out, chance, seconds[name])
            if done:
                sent[done] += 1
        runner.run(name, out, "--replicas", str(chance.choice([1, 2, 4])))
        compare(results(runner.folder / out), wanted[name])
        print(f"{sent.total()} signals, {rounds} grids: equal", flush=True)
    for (number, target), times in sorted(sent.items()):
        print(f"  {number} to {target}: {times}")


def two(runner, count, chance):
    wanted, seconds = references(runner)
    for number in range(1, count + 1):
        name = chance.choice(list(GRIDS))
        out = f"two-{number}"
        first = runner.start(name, out, "--replicas", str(chance.choice([1, 2, 4])))
        time.sleep(chance.uniform(0, seconds[name] / 2))
        second = runner.start(name, out, "--replicas", str(chance.choice([1, 2, 4])))
        time.sleep(chance.uniform(0, seconds[name] / 2))
        victim, other = chance.sample([first, second], 2)
        workers = descendants(victim.pid)
        target = chance.choice(["worker", "layerlab", "both"])
        for pid in victims(victim.pid, workers, target):
            send(pid, signal.SIGKILL)
        said = runner.finish(victim)
        check(victim.returncode in (0, 2, 5, -signal.SIGKILL), f"exit code {victim.returncode}: {said}")
        said = runner.finish(other)
        check(other.returncode in (0, 5), f"the other: exit code {other.returncode}: {said}")
        wait_until_gone(workers)
        compare(results(runner.folder / out), wanted[name])
        print(f"{number}: {name}, {target} killed: nothing lost, nothing trained twice", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("count", nargs="?", type=int)
    parser.add_argument("--two", action="store_true", help="two processes on one grid")
    parser.add_argument("--seed", type=int, default=None, help="of the random moments")
    parser.add_argument("--program", default=str(ROOT / "build/release/layerlab"))
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.randrange(10**6)
    print(f"seed {seed}", flush=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="layerlab-stress-"))
    attack, usual = (two, 20) if options.two else (signals, 150)
    try:
        runner = Runner(os.path.abspath(options.program), folder)
        attack(runner, options.count or usual, random.Random(seed))
    except Failure as failure:
        print(f"FAILED: {failure}\nresults are in {folder}", file=sys.stderr)
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
