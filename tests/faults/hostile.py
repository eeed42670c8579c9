"""Models that need very much time or memory, each with the commands that exceed a limit."""

import os


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def pnml(places, transitions):
    """A P/T net: places with tokens, transitions with their input and output places."""
    out = ['<?xml version="1.0"?>', '<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">',
           '<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">']
    for name, tokens in places:
        out.append(f'<place id="{name}"><initialMarking><text>{tokens}</text></initialMarking></place>')
    arcs = 0
    for name, inputs, outputs in transitions:
        out.append(f'<transition id="{name}"/>')
        for source, target in [(p, name) for p in inputs] + [(name, p) for p in outputs]:
            arcs += 1
            out.append(f'<arc id="a{arcs}" source="{source}" target="{target}"/>')
    out.append('</page></net></pnml>')
    return "\n".join(out)


def philosophers(n):
    places, transitions = [], []
    for i in range(n):
        places += [(f"think{i}", 1), (f"fork{i}", 1), (f"has{i}", 0), (f"eat{i}", 0)]
        right = (i + 1) % n
        transitions += [(f"take{i}", [f"think{i}", f"fork{i}"], [f"has{i}"]),
                        (f"both{i}", [f"has{i}", f"fork{right}"], [f"eat{i}"]),
                        (f"done{i}", [f"eat{i}"], [f"think{i}", f"fork{i}", f"fork{right}"])]
    return pnml(places, transitions)


def wide(n):
    """A net of `n` transitions, in cycles that share one place."""
    places = [("start", 3)] + [(f"p{i}", 0) for i in range(n)]
    transitions = []
    for i in range(n):
        source = "start" if i % 10 == 0 else f"p{i}"
        target = "start" if i % 10 == 9 else f"p{i + 1}"
        transitions.append((f"t{i}", [source], [target]))
    return pnml(places, transitions)


def counter(n):
    """`n` independent counters up to 9, and a shared one: many states, few transitions."""
    places, transitions = [], []
    for i in range(n):
        places += [(f"left{i}", 9), (f"done{i}", 0)]
        transitions.append((f"step{i}", [f"left{i}"], [f"done{i}"]))
        transitions.append((f"back{i}", [f"done{i}"], [f"left{i}"]))
    return pnml(places, transitions)


BINDINGS = """\
colset NO = int with 1..100;
var a, b, c, d, e, f : NO;
page Main
  place P : NO = NO.all()
  place Q : NO
  transition T
    guard [a + b + c + d + e + f = 601]
    in P : 1`a ++ 1`b ++ 1`c ++ 1`d ++ 1`e ++ 1`f
    out Q : 1`a
"""

LOOPS = """\
fun loop (0, x) = x
  | loop (n, x) = loop (n - 1, (x + n) mod 1000);
colset INT = int;
page Main
""" + "".join(f"  place P{i} : INT = 1`(loop (450000000, {i}))\n" for i in range(6)) + """\
  transition T
    in P0 : 1`1
    out P1 : 1`1
"""

EVALUATION = """\
fun loop (0, x) = x
  | loop (n, x) = loop (n - 1, (x + n) mod 1000);
colset INT = int;
var n : INT;
page Main
  place P : INT = 1`0
  transition T
    in P : 1`n
    out P : 1`(if n > 2 then loop (450000000, n) else n + 1)
"""

LISTS = """\
colset INT = int;
colset LIST = list INT;
var l : LIST;
page Main
  place P : LIST = 1`[1]
  transition Double
    in P : 1`l
    out P : 1`(l ^^ l)
"""

CSP = {
    "fib": "fib(n) = if n < 2 then n else fib(n-1) + fib(n-2)\n"
           "channel a:{0..fib(40)}\nP = a?x -> P\nassert P :[deadlock free]\n",
    "grow": "channel a\nP(n) = a -> P(n+1)\nassert P(0) :[deadlock free]\n",
    "many": "channel a:{0..99999}\nP = ||| i:{0..99999} @ a.i -> STOP\nassert P :[deadlock free]\n",
    "union": "channel a:{0..999}\nP(s) = a?x -> P(union(s,{x}))\nassert P({}) :[deadlock free]\n",
    "diverge": "channel a,b:{0..9}\nN(i,c) = if c == 9 then b.i -> N(i,0) else a.i -> N(i,c+1)\n"
               "P = (||| i:{0..6} @ N(i,0)) \\ {|a,b|}\nassert P :[divergence free]\n",
}

USES = 'colset INT = int;\n'

LTL = " <-> ".join(f"(F {{left{i % 6} = {i % 9}}})" for i in range(40))


def models(folder):
    """Writes the models. Returns a list of (name, arguments of the command without its limits)."""
    net = lambda name, text: write(folder, name + ".pnml", text)
    phil, rings, count = net("phil", philosophers(16)), net("wide", wide(10_000)), net("count", counter(6))
    many = net("many", counter(9))
    cases = []
    for name, text in [("bindings", BINDINGS), ("loops", LOOPS), ("evaluation", EVALUATION), ("lists", LISTS)]:
        path = write(folder, name + ".cpnt", text)
        cases += [(f"{name} check", ["check", path, "--deadlock"]), (f"{name} report", ["report", path]),
                  (f"{name} info", ["info", path]), (f"{name} auto", ["check", path, "--progress", "auto"]),
                  (f"{name} graph", ["graph", path, "--output", os.path.join(folder, name + ".aut")])]
    script = write(folder, "loop.sml", "fun f (0, x) = x | f (n, x) = f (n - 1, (x + n) mod 1000);\n"
                   "val a = f (450000000, 1);\nval b = f (450000000, 2);\nval c = f (450000000, 3);\n")
    plain = write(folder, "plain.cpnt", EVALUATION.replace("n > 2", "n > 1000000000"))
    cases.append(("script", ["ml", plain, script]))
    for name, text in CSP.items():
        path = write(folder, name + ".csp", text)
        cases += [(f"csp {name}", ["check", path]), (f"csp {name} info", ["info", path]),
                  (f"csp {name} compile", ["compile", path, "--output", os.path.join(folder, name)])]
    for name, path in [("phil", phil), ("many", many)]:
        cases += [(f"{name} full", ["check", path, "--deadlock", "--method", "full"]),
                  (f"{name} default", ["check", path, "--deadlock"]),
                  (f"{name} auto", ["check", path, "--deadlock", "--progress", "auto"]),
                  (f"{name} stubborn", ["check", path, "--deadlock", "--stubborn", "--sleep"]),
                  (f"{name} cache", ["check", path, "--deadlock", "--method", "cache", "--cache", "100000"]),
                  (f"{name} recompute", ["check", path, "--deadlock", "--witness", "recompute"]),
                  (f"{name} report", ["report", path]),
                  (f"{name} home", ["check", path, "--home", "deadlock", "--terminates"]),
                  (f"{name} graph", ["graph", path, "--output", os.path.join(folder, name + ".aut")]),
                  (f"{name} compare", ["compare", path, "--methods", "full,sweep", "--progress", "auto"])]
    first = {"phil": "eat0", "many": "done0"}
    for name, path in [("phil", phil), ("many", many)]:
        cases += [(f"{name} ltl", ["check", path, "--ltl", f"G F {{{first[name]} > 0}}"]),
                  (f"{name} ctl", ["check", path, "--ctl", f"AG EF {{{first[name]} > 0}}"])]
    cases += [("iff", ["check", count, "--ltl", LTL]),
              ("wide default", ["check", rings, "--deadlock"]),
              ("wide auto", ["check", rings, "--deadlock", "--progress", "auto"]),
              ("wide progress", ["progress", rings]), ("wide info", ["info", rings]),
              ("wide report", ["report", rings]),
              ("phil simulate", ["simulate", phil, "--steps", "100000000"]),
              ("phil progress", ["progress", phil])]
    return cases
