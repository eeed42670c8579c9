"""What benches/gpu and benches/threads share: runs of sweepline, the facts that must agree, tables and records."""

import datetime
import json
import os
import platform
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
# A binary that is built elsewhere, for machines without cargo.
GIVEN = os.environ.get("SWEEPLINE_BINARY")
SWEEPLINE = GIVEN or os.path.join(TARGET, "release", "sweepline")
SAME = ["verdict", "states", "edges", "dead", "peak_states", "persistent", "sweeps", "max_tokens_in_place",
        "max_tokens_per_marking"]


def build():
    if not GIVEN:
        subprocess.run(["cargo", "build", "--release", "--locked"], cwd=ROOT, check=True)


def check(model, options):
    command = [SWEEPLINE, "check", model, "--json", *options]
    ran = subprocess.run(command, capture_output=True, text=True)
    try:
        return json.loads(ran.stdout)
    except json.JSONDecodeError:
        print(f"{' '.join(command)}\n{ran.stdout}{ran.stderr}", file=sys.stderr)
        return None


def facts(result):
    """What must not depend on the device. If a property ended the run early, that is the verdicts and values."""
    keys = SAME if result["complete"] else ["verdict"]
    properties = [(p["name"], p["verdict"], p["value"] if result["complete"] else None) for p in result["properties"]]
    return {key: result.get(key) for key in keys} | {"properties": properties}


def row(model, method, name, result):
    """A line of the table. The rate is that of the exploration, without starting a device."""
    states, exploring = result["explored"], result.get("device_seconds", result["seconds"])
    rate = f"{states / exploring / 1e6:,.1f}" if exploring > 0 else ""
    stop = result["stop"] or ""
    lengths = [str(p["witness_length"]) for p in result["properties"] if p["witness_length"] is not None]
    return [os.path.basename(model), method, name, f"{result['states'] or states:,}", f"{result['explored_edges']:,}",
            f"{result['peak_states']:,}", f"{result['seconds']:.3f}", f"{exploring:.3f}", rate, f"{result['peak_bytes'] / 1e9:.2f}",
            ", ".join(lengths), stop]


def best_of(done):
    """The fastest result of each name."""
    best = {}
    for name, result in done:
        if name not in best or result["seconds"] < best[name]["seconds"]:
            best[name] = result
    return best


def print_table(rows):
    head = ["model", "method", "on", "states", "edges", "peak stored", "seconds", "exploring", "M states/s", "store GB", "path", "stop"]
    table = "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *rows])
    print(table)
    return table


def record(kind, heading, table):
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    folder = os.path.join(ROOT, "benches", "runs", f"{datetime.date.today()}-{kind}")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "README.md"), "a") as file:
        file.write(f"# {heading}\n\n{platform.machine()}, {os.cpu_count()} cores, commit {commit.stdout.strip()}. "
                   f"Command: `benches/{kind} {' '.join(sys.argv[1:])}`.\n\n{table}\n\n")
