#!/usr/bin/env python3
"""Sends Ctrl-C to commands at random moments.

usage: signals.py BINARY [RUNS] [SEED]

A run fails if it does not end within 2 s after the first signal, or if its status is neither 130 nor that of
a command that ended before the signal.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from hostile import models


def main():
    binary = os.path.abspath(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    dice = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    failures = longest = 0
    with tempfile.TemporaryDirectory() as folder:
        cases = models(folder)
        for number in range(runs):
            name, arguments = cases[number % len(cases)] if number < len(cases) else dice.choice(cases)
            # The memory limit protects this machine.
            command = [binary, *arguments, "--memory-limit", "2G"]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.05 + 2 * dice.random() ** 2)
            before = process.poll()
            sent = time.monotonic()
            process.send_signal(signal.SIGINT)
            try:
                status = process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                status = process.wait()
            took = time.monotonic() - sent
            longest = max(longest, took)
            fine = before is not None and before in (0, 1, 3) or status in (130, 0, 1, 3) and took <= 2
            if not fine:
                failures += 1
                print(f"{name}: status {before if before is not None else status} after {took:.1f} s", flush=True)
    print(f"signals {runs:8} tries {failures:8} failures, the longest took {longest:.2f} s")
    sys.exit(failures > 0)


main()
