"""Nets of the Model Checking Contest with known answers, for benches/gpu: which there are, and which answers of a run differ."""

import collections
import csv
import os
import subprocess

FILES = ["ReachabilityCardinality", "ReachabilityFireability", "UpperBounds"]
EXAMINATIONS = ["StateSpace", "ReachabilityDeadlock", "OneSafe", "QuasiLiveness", "StableMarking"]
COUNTS = [("STATES", "states"), ("TRANSITIONS", "edges"), ("MAX_TOKEN_IN_PLACE", "max_tokens_in_place"),
          ("MAX_TOKEN_PER_MARKING", "max_tokens_per_marking")]


def instances(corpus, least, most):
    """The P/T nets with a known number of states in this range, small ones first: name, states, answers by question."""
    answers = collections.defaultdict(dict)
    with open(os.path.join(corpus, "ANSWERS.tsv"), newline="") as file:
        for line in csv.DictReader(file, delimiter="\t"):
            answers[line["instance"]][line["examination"], line["item"]] = line["verdict"]
    found = []
    for name, known in answers.items():
        states = known.get(("StateSpace", "STATES"), "")
        if "-PT-" in name and states.isdigit() and least <= int(states) <= most:
            found.append((name, int(states), known))
    return sorted(found, key=lambda instance: instance[1])


def unpack(corpus, name, folder):
    archive = os.path.join(corpus, "INPUTS", f"{name}.tgz")
    subprocess.run(["tar", "xzf", archive, "-C", folder], check=True)
    return os.path.join(folder, name)


def questions(folder):
    """Options that ask everything that one exploration without edges answers."""
    options = []
    for name in FILES:
        options += ["--property-file", os.path.join(folder, f"{name}.xml")]
    for name in EXAMINATIONS:
        options += ["--examination", name]
    return options


def given(name, run):
    """The answers of a run by question, as in ANSWERS.tsv; None for unknown ones."""
    answers = {}
    for asked in run["properties"]:
        formula = asked["name"].removeprefix(f"{name}-")
        question = tuple(formula.rsplit("-", 1)) if formula != asked["name"] else (asked["name"], "-")
        value = {"holds": "TRUE", "violated": "FALSE"}.get(asked["verdict"])
        if value is not None and isinstance(asked["value"], int) and not isinstance(asked["value"], bool):
            value = str(asked["value"])
        answers[question] = value
    for item, field in COUNTS:
        known = run["complete"] and run["states"] is not None and run[field] is not None
        answers["StateSpace", item] = str(run[field]) if known else None
    return answers


def compare(name, known, run):
    """How many answers are right, how many unknown, and which are wrong."""
    right, unknown, wrong = 0, 0, []
    answers = given(name, run)
    for question, expected in known.items():
        if expected == "?" or question not in answers:
            continue
        if answers[question] is None:
            unknown += 1
        elif answers[question] == expected:
            right += 1
        else:
            wrong.append(f"{name} {' '.join(question)}: {answers[question]}, known {expected}")
    return right, unknown, wrong
