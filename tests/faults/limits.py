#!/usr/bin/env python3
"""Runs commands under random limits of time and memory, and under the limits of the system.

usage: limits.py BINARY [RUNS] [SEED]

A run fails if it takes 2 s more than its time limit, or 10% and 10 MiB more memory than its memory limit, or ends
with a status that is neither a verdict nor "unknown". Prints a table of the failures.
"""

import os
import random
import resource
import subprocess
import sys
import tempfile
import time

from hostile import models

MIB = 1 << 20
# Verdicts and unknown; 2 only with a message about an error in the input.
FINE = {0, 1, 3}


def run(command, seconds, address_space=None):
    """Status, seconds, peak resident bytes, standard output and error."""
    def limit():
        if address_space:
            resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=err, preexec_fn=limit)
        killed = False
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() - started > seconds:
                process.kill()
                killed = True
                _, status, usage = os.wait4(process.pid, 0)
                break
            time.sleep(0.01)
        took = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        text = (out.read(4096).decode(errors="replace"), err.read(4096).decode(errors="replace"))
        return ("killed" if killed else process.returncode), took, usage.ru_maxrss * 1024, *text


def main():
    binary = os.path.abspath(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    dice = random.Random(seed)
    table = {"time": [0, 0], "memory": [0, 0], "status": [0, 0], "refused memory": [0, 0]}
    with tempfile.TemporaryDirectory() as folder:
        cases = models(folder)
        for number in range(runs):
            name, arguments = cases[number % len(cases)] if number < len(cases) else dice.choice(cases)
            seconds = dice.choice([1, 2, 3, 5, 10])
            memory = int(16 * 2 ** (dice.random() * 6)) * MIB
            system = number % 10 == 9
            command = [binary, *arguments, "--time-limit", f"{seconds}s"]
            if "check" in arguments and dice.random() < 0.5:
                command.append("--json")
            if not system:
                command += ["--memory-limit", f"{memory // MIB}M"]
            parts = 3 if arguments[0] == "compare" else 1
            address_space = memory + 200 * MIB if system else None
            status, took, peak, out, err = run(command, parts * seconds + 20, address_space)
            problems = []
            table["time"][0] += 1
            if took > parts * seconds + 2:
                problems.append("time")
            if system:
                table["refused memory"][0] += 1
                if status not in FINE:
                    problems.append("refused memory")
            else:
                table["memory"][0] += 1
                table["status"][0] += 1
                if peak > 1.1 * memory + 10 * MIB:
                    problems.append("memory")
                if status not in FINE:
                    problems.append("status")
            for problem in problems:
                table[problem][1] += 1
            if problems or "-v" in sys.argv:
                limit = f"{seconds} s, {memory // MIB} MiB{' of address space' if system else ''}"
                print(f"{', '.join(problems) or 'fine':14} {name:18} {limit:28} status {status}, {took:.1f} s, "
                      f"{peak / MIB:.0f} MiB  {' '.join(command[1:])[:200]}\n    {err.strip()[:300]}", flush=True)
    print(f"{'limit':16}{'tries':>8}{'failures':>10}")
    for name, (tries, failures) in table.items():
        print(f"{name:16}{tries:8}{failures:10}")
    sys.exit(any(failures for _, failures in table.values()))


main()
