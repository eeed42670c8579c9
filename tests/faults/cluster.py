#!/usr/bin/env python3
"""Kills one process of several at random moments, and continues from the checkpoint on another number of processes.

usage: cluster.py BINARY [KILLS] [SEED]

The others must end within seconds with status 3 (or have the right answer, if the run was over), leave no process behind, and the
continued run must have the counts and verdicts of one thread.
"""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

binary = os.path.abspath(sys.argv[1])
kills = int(sys.argv[2]) if len(sys.argv) > 2 else 20
seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
rng = random.Random(seed)
models = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")

KEYS = ["verdict", "states", "edges", "dead", "explored", "peak_states", "persistent", "sweeps", "regress_edges", "layers"]


def model_runs():
    """The runs, with markings that make them take a while: in full, and with several sweeps."""
    file = os.path.join(models, "kanban.pnml")
    text = open(file).read()
    places = re.findall(r'<place id="([^"]+)"', text)

    def kanban(tokens):
        return ["check", file, *[word for place in marked(text) for word in ("--init", f"{place}={tokens}")]]

    return [
        [*kanban(3), "--method", "full", "--dead-states", "3"],
        [*kanban(4), "--method", "full", "--bound", places[0]],
        [*kanban(2), "--progress", places[1], "--bound", places[0]],
        [*kanban(2), "--progress", f"{places[1]}, {places[5]}", "--window", "1", "--deadlock"],
    ]


def marked(text):
    """The ids of the places that have tokens at the start."""
    for place in re.finditer(r'<place id="([^"]+)">(.*?)</place>', text, re.S):
        if "<initialMarking>" in place[2]:
            yield place[1]


def answer(output):
    found = json.loads(output)
    properties = [(p["name"], p["verdict"], p["value"]) for p in found["properties"]]
    return {**{key: found[key] for key in KEYS}, "properties": properties, "stop": found["stop"]}


def children(pid):
    """The processes that a process has started."""
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(word) for word in listed.stdout.split()]


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def one_kill(run, expected, duration):
    """Returns what went wrong, or None, and whether a process was killed during the run."""
    folder = tempfile.mkdtemp()
    saved = os.path.join(folder, "saved")
    processes, killed_early = rng.randint(2, 3), True
    try:
        options = ["--json", "--processes", str(processes), "--threads", str(rng.randint(1, 2))]
        command = [binary, *run, *options, "--checkpoint", saved, "--checkpoint-every", "0s"]
        main = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(rng.uniform(0.05, duration))
        members = children(main.pid)
        victim = rng.choice([main.pid, *members])
        if main.poll() is None:
            os.kill(victim, signal.SIGKILL)
        began = time.time()
        try:
            output, errors = main.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            os.kill(main.pid, signal.SIGKILL)
            return "the others did not end", True
        took = time.time() - began
        while any(is_alive(member) for member in members) and time.time() - began < 15:
            time.sleep(0.05)
        left = [member for member in members if is_alive(member)]
        for member in left:
            os.kill(member, signal.SIGKILL)
        if left:
            return f"{len(left)} processes are left after {took:.1f} s", True
        if main.returncode in (0, 1):
            found = answer(output)
            return (None if found == expected else f"{found} instead of {expected}"), False
        if victim != main.pid and main.returncode != 3:
            return f"status {main.returncode}: {errors}", True
        if victim != main.pid and output and answer(output)["verdict"] == "holds":
            return "it holds, although a process was lost", True
        if took > 10:
            return f"the others took {took:.1f} s to end", True
        has_parts = os.path.isdir(saved) and any("-part-" in name for name in os.listdir(saved))
        option = "--resume" if has_parts else "--checkpoint"
        options = ["--json", "--processes", str(processes % 3 + 1), "--threads", str(rng.randint(1, 2))]
        again = subprocess.run([binary, *run, *options, option, saved], capture_output=True, text=True, timeout=600)
        if again.returncode not in (0, 1):
            # No checkpoint was complete yet.
            if "incomplete" not in again.stderr:
                return f"continued: status {again.returncode}: {again.stdout} {again.stderr}", True
            return None, False
        found = answer(again.stdout)
        if found != expected:
            return f"continued: {found} instead of {expected}", True
        if os.path.exists(saved):
            return f"the checkpoint of a complete run was left: {os.listdir(saved)}", True
        return None, option == "--resume"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


print(f"seed {seed}")
cases = []
for run in model_runs():
    one = subprocess.run([binary, *run, "--json", "--threads", "1"], capture_output=True, text=True)
    if one.returncode not in (0, 1):
        sys.exit(f"{run}: status {one.returncode}: {one.stderr}")
    began = time.time()
    several = subprocess.run([binary, *run, "--json", "--processes", "2"], capture_output=True, text=True)
    duration = time.time() - began
    expected = answer(one.stdout)
    if answer(several.stdout) != expected:
        sys.exit(f"{run}: {answer(several.stdout)} instead of {expected}")
    cases.append((run, expected, duration))
    print(f"{expected['explored']} states explored in {expected['sweeps']} sweeps, {duration:.1f} s with 2 processes")
failures = resumed = tries = 0
while resumed < kills and tries < 5 * kills:
    run, expected, duration = rng.choice(cases)
    wrong, counts = one_kill(run, expected, max(0.2, 1.2 * duration))
    tries += 1
    resumed += counts
    if wrong:
        failures += 1
        print(f"{' '.join(run)}: {wrong}")
print(f"{resumed} runs continued after a kill ({tries} tries), {failures} failures")
sys.exit(1 if failures or resumed < kills else 0)
