#!/usr/bin/env python3
"""Kills runs at random moments, resumes them, and compares their results with one uninterrupted run.

    tests/faults/kills.py BINARY [KILLS] [SEED] [KIND...]

A run is started with `--checkpoint`, killed with SIGKILL, resumed, killed again, and resumed to its end.
Its exit status, its JSON (without times, sizes and fields about the checkpoint) and its trace must be
those of an uninterrupted run, and no other file may be left. The table has a line for
each kind of model. The exit status is 1 if any comparison failed.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MODELS = Path(__file__).resolve().parents[2] / "models"
# Fields of the JSON that depend on time, on memory, or on whether the run was resumed.
FREE = ["seconds", "states_per_second", "peak_bytes", "peak_rss", "resumed", "checkpoint"]
MOST_KILLS_OF_ONE_RUN = 4
PATIENCE = 120


def symmetric_net(workers):
    """Workers that need two tools to get from idle to done: a symmetric net in PNML."""
    places = ["idle", "first", "second", "done"]
    variable = "<subterm><variable refvariable='x'/></subterm>"
    one = "<subterm><numberconstant value='1'><positive/></numberconstant></subterm>"
    term = f"<structure><numberof>{one}{variable}</numberof></structure>"
    every = "<structure><all><usersort declaration='W'/></all></structure>"
    text = "<pnml><net id='workers' type='http://www.pnml.org/version-2009/grammar/symmetricnet'>"
    text += "<declaration><structure><declarations><namedsort id='W' name='Worker'>"
    text += f"<finiteintrange start='1' end='{workers}'/></namedsort>"
    text += "<variabledecl id='x' name='x'><usersort declaration='W'/></variabledecl>"
    text += "</declarations></structure></declaration><page id='page'>\n"
    for place in places:
        marking = f"<hlinitialMarking>{every}</hlinitialMarking>" if place == "idle" else ""
        sort = "<type><structure><usersort declaration='W'/></structure></type>"
        text += f"<place id='{place}'>{sort}{marking}</place>\n"
    for number, (source, target) in enumerate(zip(places, places[1:])):
        text += f"<transition id='t{number}'/>"
        for ends in [(source, f"t{number}"), (f"t{number}", target)]:
            text += f"<arc id='{ends[0]}-{ends[1]}' source='{ends[0]}' target='{ends[1]}'>"
            text += f"<hlinscription>{term}</hlinscription></arc>\n"
    return text + "</page></net></pnml>\n"


def philosophers(seats):
    """A net of philosophers with 3^n markings and no monotone measure."""
    text = "<pnml><net id='table' type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='page'>\n"
    arcs = []
    for seat in range(seats):
        for place, tokens in [("think", 1), ("fork", 1), ("left", 0), ("right", 0), ("eat", 0)]:
            marking = f"<initialMarking><text>{tokens}</text></initialMarking>"
            text += f"<place id='{place}{seat}'>{marking}</place>\n"
        forks = [f"fork{seat}", f"fork{(seat + 1) % seats}"]
        for hand, (first, second) in [("left", forks), ("right", forks[::-1])]:
            arcs += [(f"think{seat}", f"take_{hand}{seat}"), (first, f"take_{hand}{seat}")]
            arcs += [(f"take_{hand}{seat}", f"{hand}{seat}")]
            arcs += [(f"{hand}{seat}", f"eat_{hand}{seat}"), (second, f"eat_{hand}{seat}")]
            arcs += [(f"eat_{hand}{seat}", f"eat{seat}")]
        arcs += [(f"eat{seat}", f"leave{seat}"), (f"leave{seat}", f"think{seat}")]
        arcs += [(f"leave{seat}", fork) for fork in forks]
    actions = sorted({end for arc in arcs for end in arc if end.startswith(("take_", "eat_", "leave"))})
    text += "".join(f"<transition id='{action}'/>\n" for action in actions)
    for number, (source, target) in enumerate(arcs):
        text += f"<arc id='a{number}' source='{source}' target='{target}'/>\n"
    return text + "</page></net></pnml>\n"


def grid(width, height):
    """An LTS of steps to the right, down, and back to the start of a row."""
    edges = []
    for row in range(height):
        for column in range(width):
            here = row * width + column
            if column + 1 < width:
                edges.append(f'({here},"right",{here + 1})')
            if row + 1 < height:
                edges.append(f'({here},"down !{row}",{here + width})')
            if column % 7 == 6:
                edges.append(f'({here},"i",{row * width})')
    return f"des (0,{len(edges)},{width * height})\n" + "\n".join(edges) + "\n"


def kinds(binary, folder):
    """Runs of each kind: a name, and the arguments of `check`."""
    made = {"workers.pnml": symmetric_net(10), "many-workers.pnml": symmetric_net(11)}
    made |= {"table.pnml": philosophers(12), "grid.aut": grid(700, 500)}
    for name, text in made.items():
        (folder / name).write_text(text)
    window = MODELS / "seeds" / "sliding-window.cpnt"
    subprocess.run([binary, "convert", window, folder / "window.cpn"], check=True, stdout=subprocess.DEVNULL)
    net, kanban = MODELS / "stop-and-wait.pnml", MODELS / "kanban.pnml"
    sends = [net, "--init", "to_send=40000", "--never", "received > sent + 1", "--reach", "received = 30000"]
    few = [net, "--init", "to_send=40000", "--reach", "received = 12", "--never", "received > sent + 1"]
    cards = [word for cell in range(1, 5) for word in ("--init", f"free_{cell}=4")]
    asks = ["--never", "machine_1 > 4", "--reach", "done_4 = 4 and done_1 = 4", "--bound", "machine_1 - done_2"]
    commit = [MODELS / "seeds" / "two-phase-commit.csp", "--param", "N=9", "--process", "SYSTEM"]
    master = [MODELS / "seeds" / "master-slave.csp", "--param", "J=200", "--process", "SYSTEM"]
    runs = {
        "PNML, default": [net, "--init", "to_send=80000", "--never", "received > sent + 1", "--deadlock"],
        "PNML, full": [folder / "table.pnml", "--method", "full", "--dead-transitions", "--reach", "eat0 + eat3 + eat6 = 3"],
        "PNML, auto": sends + ["--progress", "auto"],
        "PNML, measure": sends + ["--progress", "sent + received"],
        "PNML, recomputed": few + ["--progress", "sent + received", "--witness", "recompute"],
        "PNML, regress edges": [kanban, *cards, *asks, "--progress", "machine_1 + 2*machine_4", "--window", "1"],
        "PNML, columns": [kanban, *cards, *asks, "--progress", "monotone(machine_1 + machine_2), done_4", "--gc", "300"],
        "PNML, no witness": sends + ["--progress", "sent + received", "--witness", "off"],
        "symmetric, default": [folder / "many-workers.pnml", "--deadlock", "--bound", "first"],
        "symmetric, auto": [folder / "workers.pnml", "--progress", "auto", "--reach", "done = 10"],
        ".cpn, measure": [folder / "window.cpn", "--param", "packets=1000", "--progress", "#1 (hd NextRec), #2 (hd NextRec)", "--never", "size Failure > 0"],
        ".cpn, auto": [folder / "window.cpn", "--param", "packets=600", "--progress", "auto", "--reach", "number (hd NextSend) = packets"],
        ".cpnt, default": [MODELS / "seeds" / "stop-and-wait.cpnt", "--param", "packets=1000"],
        ".cpnt, measure": [window, "--param", "packets=600", "--progress", "counter", "--witness", "recompute", "--property", "failure", "--property", "network"],
        ".cpnt, space too small": [window, "--param", "packets=900", "--param", "space=3", "--progress", "counter", "--property", "network", "--reach", "number (hd NextSend) = packets"],
        ".cpnt, time": [MODELS / "seeds" / "lock-management.cpnt", "--param", "rounds=5"],
        "CSPm, default": commit + ["--deadlock", "--dead-states", "3"],
        "CSPm, auto": commit + ["--progress", "auto", "--dead-states", "3"],
        "CSPm, no witness": master + ["--dead-transitions", "--witness", "off"],
        ".aut, default": [folder / "grid.aut", "--dead-states", "2"],
        ".aut, auto": [folder / "grid.aut", "--progress", "auto", "--deadlock"],
    }
    return {name: [str(word) for word in args] for name, args in runs.items()}


def said(text):
    """The JSON without the fields that may differ."""
    report = json.loads(text)
    for field in FREE:
        report.pop(field, None)
    if report.get("found"):
        report["found"].pop("seconds", None)
    return report


def finished(child):
    """The exit status of a process that is not killed; -9 if it does not end."""
    try:
        return child.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        return child.wait()


class Kind:
    """A kind of run, the results of one uninterrupted run, and those of the others."""

    def __init__(self, binary, name, args, folder, dice):
        self.binary, self.name, self.args, self.dice = binary, name, args, dice
        self.folder = folder
        self.runs = self.kills = self.failures = 0
        self.one, self.seconds = None, 0.0

    def reference(self):
        trace = self.folder / "one-trace"
        trace.unlink(missing_ok=True)
        began = time.monotonic()
        command = [self.binary, "check", *self.args, "--json", "--trace", trace]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        self.seconds = time.monotonic() - began
        if done.returncode not in (0, 1):
            raise SystemExit(f"{self.name}: the whole run fails: {done.stderr}{done.stdout}")
        self.one = (done.returncode, said(done.stdout), trace.read_bytes() if trace.exists() else None)

    def commands(self, place):
        """The command that starts a run, and the one that resumes it."""
        file, every = place / "run", self.dice.choice(["1ms", "20ms", "100ms"])
        if "default" in self.name or "full" in self.name:
            # A checkpoint of a full exploration contains all of its states.
            every = self.dice.choice(["100ms", "300ms"])
        saving, saves = ["--json", "--trace", place / "trace"], ["--checkpoint-every", every]
        fresh = [self.binary, "check", *self.args, *saving, *saves, "--checkpoint", file]
        last = [self.binary, "check", self.args[0], *saving, "--resume", file]
        return fresh, last + saves, last

    def wait_and_kill(self, child, place):
        """Kills the run at a random moment, or while it writes a checkpoint. Returns whether it was still running."""
        end = time.monotonic() + self.dice.uniform(0, self.seconds)
        at_writing = self.dice.random() < 0.4
        while child.poll() is None:
            if time.monotonic() >= end and (not at_writing or (place / "run.part").exists()):
                child.send_signal(signal.SIGKILL)
                child.wait()
                return True
            time.sleep(0.0005)
        return False

    def attempt(self, most):
        """One run, killed at most that many times."""
        place = Path(tempfile.mkdtemp(dir=self.folder))
        fresh, resume, last = self.commands(place)
        self.runs += 1
        kills = 0
        result = None
        while result is None:
            # If it was killed before its first checkpoint was written, it starts again.
            command = (resume if kills < most else last) if (place / "run").exists() else fresh
            with open(place / "out", "w") as out, open(place / "err", "w") as err:
                child = subprocess.Popen(command, stdout=out, stderr=err)
                if kills < most and self.wait_and_kill(child, place):
                    kills += 1
                    continue
                result = finished(child)
        self.kills += kills
        self.compare(result, place, command, kills)
        shutil.rmtree(place)
        return kills

    def compare(self, status, place, command, kills):
        text, errors = (place / "out").read_text(), (place / "err").read_text()
        trace = (place / "trace").read_bytes() if (place / "trace").exists() else None
        # A kill while a file is being written leaves the temporary file.
        files = [path.name for path in place.iterdir() if not path.name.startswith(".sweepline-")]
        left = sorted(set(files) - {"out", "err", "trace"})
        try:
            report = said(text)
        except ValueError:
            report = None
        wrong = []
        if status != self.one[0]:
            wrong.append(f"status {status}, not {self.one[0]}")
        if report != self.one[1]:
            fields = self.one[1].keys() | (report or {}).keys()
            differ = [f for f in sorted(fields) if (report or {}).get(f) != self.one[1].get(f)]
            shown = [f"{f}: {str((report or {}).get(f))[:300]}, not {str(self.one[1].get(f))[:300]}" for f in differ]
            wrong.append("; ".join(shown))
        if trace != self.one[2]:
            wrong.append("another trace")
        if left:
            wrong.append(f"left behind: {', '.join(left)}")
        if wrong:
            self.failures += 1
            words = " ".join(map(str, command))
            print(f"{self.name}, {kills} kills: {'. '.join(wrong)}\n  {words}\n  {errors}", flush=True)


def kill_all(table, kills, dice):
    """Runs the kinds in turn until there were enough kills."""
    while sum(kind.kills for kind in table) < kills:
        for kind in table:
            left = kills - sum(kind.kills for kind in table)
            if left <= 0:
                break
            if kind.one is None:
                kind.reference()
            kind.attempt(min(left, dice.randint(1, MOST_KILLS_OF_ONE_RUN)))


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    binary = str(Path(sys.argv[1]).resolve())
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    dice = random.Random(seed)
    # In memory, if there is such a folder: checkpoints are synced many times a second.
    shared = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=shared, prefix="sweepline-kills-") as folder:
        folder = Path(folder)
        runs = kinds(binary, folder)
        chosen = [name for name in runs if len(sys.argv) <= 4 or name in sys.argv[4:]]
        table = [Kind(binary, name, runs[name], folder, dice) for name in chosen]
        try:
            kill_all(table, kills, dice)
        except KeyboardInterrupt:
            print("stopped: the table shows the runs until then")
    print(f"{'kind of run':<24} {'one run':>8} {'runs':>5} {'kills':>6} {'failures':>9}")
    for kind in table:
        print(f"{kind.name:<24} {kind.seconds:>6.2f} s {kind.runs:>5} {kind.kills:>6} {kind.failures:>9}")
    tried, failed = sum(kind.kills for kind in table), sum(kind.failures for kind in table)
    print(f"{'all':<24} {'':>8} {sum(kind.runs for kind in table):>5} {tried:>6} {failed:>9}   seed {seed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
