#!/usr/bin/env python3
"""Reads randomly damaged models.

usage: mutants.py BINARY MODELS [RUNS] [SEED]

MODELS is a folder; every model in it is mutated: bytes flipped, pieces removed, repeated, and exchanged with pieces of other
models of the same format. A run fails if it panics, is ended by a signal, or takes longer than its limit.
"""

import os
import random
import subprocess
import sys
import tempfile

FORMATS = (".pnml", ".cpn", ".cpnt", ".csp", ".aut", ".sml")
VERBS = [["info"], ["check", "--deadlock"], ["check"], ["report"], ["progress"], ["simulate", "--steps", "20"]]


def mutate(dice, text, others):
    text = bytearray(text)
    for _ in range(dice.choice([1, 1, 2, 4, 16])):
        at, end = sorted(dice.randrange(len(text) + 1) for _ in range(2))
        end = min(end, at + dice.choice([1, 4, 16, 64, 1024]))
        kind = dice.randrange(6)
        if kind == 0 and at < len(text):
            text[at] ^= 1 << dice.randrange(8)
        elif kind == 1:
            del text[at:end]
        elif kind == 2:
            text[at:at] = text[at:end] * dice.choice([1, 2, 100])
        elif kind == 3:
            other = dice.choice(others)
            start = dice.randrange(len(other) + 1)
            text[at:end] = other[start:start + dice.choice([4, 16, 64, 1024])]
        elif kind == 4:
            number = dice.choice(["0", "-1", "99999999999999999999", "1e9", "2147483648", "1000000"])
            digits = [i for i, byte in enumerate(text) if 48 <= byte < 58]
            if digits:
                i = dice.choice(digits)
                text[i:i + 1] = number.encode()
        else:
            text[at:at] = dice.choice([b"\0", b"\xff", b"\x1b[2K", b"(" * 1000, b"<a>" * 1000, b"{", b"\""])
        if not text:
            text = bytearray(b" ")
    return bytes(text)


def main():
    binary, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    dice = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    texts = {}
    for root, _, files in os.walk(folder):
        for name in sorted(files):
            path = os.path.join(root, name)
            if name.endswith(FORMATS) and 0 < os.path.getsize(path) < 200_000:
                with open(path, "rb") as file:
                    texts.setdefault(os.path.splitext(name)[1], []).append(file.read())
    failures, statuses = 0, {}
    with tempfile.TemporaryDirectory() as scratch:
        plain = os.path.join(scratch, "plain.cpnt")
        with open(plain, "w") as file:
            file.write("colset INT = int;\npage P\n  place A : INT = 1`1\n")
        for number in range(runs):
            ending = dice.choice(sorted(texts))
            path = os.path.join(scratch, "mutant" + ending)
            with open(path, "wb") as file:
                file.write(mutate(dice, dice.choice(texts[ending]), texts[ending]))
            verb = dice.choice(VERBS)
            command = [binary, "ml", plain, path] if ending == ".sml" else [binary, verb[0], path, *verb[1:]]
            command += ["--time-limit", "2s", "--memory-limit", "200M"]
            try:
                done = subprocess.run(command, capture_output=True, timeout=20)
                status, errors = done.returncode, done.stderr
            except subprocess.TimeoutExpired:
                status, errors = "timeout", b""
            statuses[status] = statuses.get(status, 0) + 1
            if status not in (0, 1, 2, 3) or b"panicked" in errors or b"internal error" in errors:
                failures += 1
                kept = f"mutant-{number}{ending}"
                os.replace(path, os.path.join(os.environ.get("KEEP", scratch), kept))
                print(f"{kept}: {' '.join(command[1:])}: status {status}\n{errors[-300:].decode(errors='replace')}", flush=True)
    print(f"mutants {runs:8} tries {failures:8} failures, statuses {dict(sorted(statuses.items(), key=str))}")
    sys.exit(failures > 0)


main()
