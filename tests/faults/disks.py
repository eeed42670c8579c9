#!/usr/bin/env python3
"""Runs commands that write files on a full disk, at every size from zero to enough.

usage: disks.py BINARY

The system limits the size of files instead of the disk (RLIMIT_FSIZE). A run fails if a file that existed before is
neither unchanged nor complete, if an unfinished file is left, or if the status is 0 although a file is incomplete.
"""

import os
import resource
import signal
import subprocess
import sys
import tempfile

NET = "colset INT = int;\nvar n : INT;\npage   P\n  place A : INT = 1`0\n  transition T\n    guard n < 40\n    in A: n\n    out A: n + 1\n"
OLD = "what was here before\n"


def limited(size):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return limit


def commands(folder):
    """Arguments, the file that is written, and its content before."""
    net, check = os.path.join(folder, "net.cpnt"), ["check", os.path.join(folder, "net.cpnt")]
    to = lambda name: os.path.join(folder, name)
    return [(["format", net], net, NET),
            ([*check, "--deadlock", "--trace", to("t.json")], to("t.json"), OLD),
            ([*check, "--deadlock", "--progress", "hd A", "--log", to("l.csv")], to("l.csv"), None),
            (["report", net, "--output", to("r.txt")], to("r.txt"), OLD),
            (["report", net, "--html", to("r.html")], to("r.html"), OLD),
            (["graph", net, "--output", to("g.aut")], to("g.aut"), OLD),
            (["graph", net, "--output", to("g.dot")], to("g.dot"), OLD),
            (["convert", net, to("c.cpn")], to("c.cpn"), OLD),
            ([*check, "--deadlock", "--state-limit", "20", "--checkpoint", to("p")], to("p"), None)]


def attempt(binary, number, size):
    """The problems after one command under one limit, and whether it wrote everything."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "net.cpnt"), "w") as file:
            file.write(NET)
        arguments, path, old = commands(folder)[number]
        if old is not None:
            with open(path, "w") as file:
                file.write(old)
        before = set(os.listdir(folder))
        limit = limited(size) if size is not None else None
        done = subprocess.run([binary, *arguments], capture_output=True, preexec_fn=limit, timeout=60)
        with_path = before | {os.path.basename(path)}
        left = set(os.listdir(folder)) - with_path - {"p.origins", "p.log"}
        text = None
        if os.path.exists(path):
            with open(path, "rb") as file:
                text = file.read()
        return done, text, left, old


def main():
    binary = os.path.abspath(sys.argv[1])
    tries = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        count = len(commands(folder))
    for number in range(count):
        whole, wanted, _, old = attempt(binary, number, None)
        if wanted is None or old is not None and wanted == old.encode():
            sys.exit(f"{whole.args}: wrote nothing: {whole.stderr.decode()}")
        for size in sorted({0, 1, len(wanted) // 2, max(len(wanted) - 1, 0), len(wanted) + 100_000}):
            tries += 1
            done, text, left, old = attempt(binary, number, size)
            problems = []
            if left:
                problems.append(f"leaves {sorted(left)}")
            as_before = text == (None if old is None else old.encode())
            if old is not None and not as_before and (size < len(wanted) or text is None):
                problems.append("the old file is lost")
            if size < len(wanted) and done.returncode in (0, 1) and "--log" not in done.args:
                problems.append(f"status {done.returncode} though the disk was full")
            if done.returncode < 0 or done.returncode == 101 or b"panicked" in done.stderr:
                problems.append(f"status {done.returncode}")
            if problems:
                failures += 1
                print(f"{' '.join(done.args[1:3])} … at {size} of {len(wanted)} bytes: {'; '.join(problems)}\n"
                      f"    {done.stderr.decode(errors='replace').strip()[:300]}", flush=True)
    print(f"disks {tries:8} tries {failures:8} failures")
    sys.exit(failures > 0)


main()
