//! The examples below the help of verbs.

pub(super) const EXAMPLES: &str = "\
Examples:
  sweepline info net.pnml
  sweepline check net.pnml --deadlock
  sweepline check net.pnml --progress 'sent + received' --never 'sent > received'
  sweepline check net.pnml --property-file ReachabilityCardinality.xml
  sweepline compare net.pnml --progress 'sent + received'
  sweepline report model.cpn --html report.html
  sweepline check model.cpn --param n=5 --never 'size Waiting > n'
  sweepline check model.cpnt --progress packets
  sweepline check protocol.csp --progress components
  sweepline ml model.cpn queries.sml

Exit status:
  0    every property holds, or none was checked
  1    some property is violated
  2    bad usage or bad model
  3    some property is unknown: a limit ended the run, or sweepline cannot decide the property
  130  interrupted by Ctrl-C

`sweepline help` lists the chapters of the book.";

pub(super) const CHECK_EXAMPLES: &str = "\
Expressions:
  P/T nets and processes:
  p + 2*r <= 3 and not fireable(t)           a place name is its number of tokens
  deadlock or \"my place\" = 0                 names with spaces in double quotes
  Coloured nets, in CPN ML:
  size (Mark.Page'Place 1) > 3               a place is a multi-set of tokens
  cf (2, Sent) = 0                           the short name works if only one place has it
  deadlock andalso size Waiting > 0          `deadlock`: no transition is enabled, now or at a later time

LTL formulas (`sweepline help ltl`):
  G (taken(send) -> F taken(receive))        transitions, events, channels
  {p > 0} U ({q = 0} && X enabled(done))     conditions on states in braces
  A run that reaches a dead state stays there for ever.
  Precedence, loosest first: <->  ->  ||  &&  U R W M  ! X F G. Also: implies, or, and, not.

CTL formulas (`sweepline help ctl`):
  AG ({p > 1} -> EF enabled(send))           A: on all paths, E: on some path
  E[{p > 0} U AX {q = 0}]                    U R W M in brackets
  In a dead state every AX holds and no EX does.

Examples:
  sweepline check net.pnml --deadlock --bound 'buffer'
  sweepline check net.pnml --ltl 'G F {inside_1 > 0}' --weak-fair enter_1
  sweepline check net.pnml --ctl 'AG (look_1 -> EF {inside_1 > 0})'
  sweepline check net.pnml --never 'inside_1 + inside_2 > 1'
  sweepline check net.pnml --progress auto --deadlock
  sweepline check net.pnml --home 'idle = 3' --live send --fair lose --terminates
  sweepline check net.pnml --progress 'sent + received' --monotone strict
  sweepline check net.pnml --progress 'monotone(round), level' --window 2
  sweepline check net.pnml --examination StateSpace --json
  sweepline check net.pnml --property-file UpperBounds.xml --memory-limit 8G
  sweepline check net.pnml --deadlock --checkpoint run.checkpoint
  sweepline check net.pnml --resume run.checkpoint
  sweepline check net.pnml --progress auto --deadlock --stubborn --sleep
  sweepline check net.pnml --never 'inside_1 + inside_2 > 1' --reduce auto
  sweepline check net.pnml --deadlock --method cache --cache 100k --time-limit 10m
  sweepline check model.cpn --init 'Limit=5`e' --bound Received
  sweepline check timed.cpn --progress time --deadlock
  sweepline check timed.cpn --equivalence time --cut-off 'size Idle = 2' --deadlock
  sweepline check model.cpn --equivalence 'symmetry:SITES' --deadlock
  sweepline check protocol.csp                                all assertions of the script
  sweepline check protocol.csp --progress auto --property 2   the second assertion, with a sweep
  sweepline check protocol.csp --process 'SYSTEM \\ {tick}' --deadlock";

pub(super) const CONVERT_EXAMPLES: &str = "\
File names select the formats: .cpn is a CPN Tools file, .cpnt the text form. Both files have the
same state space. Positions of places and transitions and bends of arcs are kept.

Examples:
  sweepline convert model.cpn model.cpnt
  sweepline convert model.cpnt model.cpn";

pub(super) const COMPILE_EXAMPLES: &str = "\
Writes one LTS (labelled transition system) for each component: each process below the parallel
operators of the script. To write the LTS of the whole composition, use
`sweepline graph FILE --output NAME.aut`.

Examples:
  sweepline compile protocol.csp --output components
  sweepline compile protocol.csp --process 'SENDER(0)' --output sender.aut";

pub(super) const FORMAT_EXAMPLES: &str = "\
Files that are already formatted are left as they are.

Examples:
  sweepline format model.cpnt
  sweepline format --check models/*.cpnt";

pub(super) const ML_EXAMPLES: &str = "\
What a script can contain (`sweepline help scripts`):
  fun PM M = IntInf.fromInt (length (ms_to_col (SLMark.Top'Received 1 M)));
  val sweep = {PM = PM, GC = 0, Secs = 0, Logfile = NONE};   GC = 0: drop each layer
  SL.ExploreStateSpace sweep;
  SLReachable (sweep, fn M => mssize (SLMark.Top'Buffer 1 M) > 1, false);
  SLBestUpperMultiSet (sweep, SLMark.Top'Buffer 1);
  SLListDeadMarkings sweep;
  SLHomePredicate (sweep, fn M => mssize (SLMark.Top'Buffer 1 M) = 0);
  SLListLiveTIs sweep;
  SLLtl (sweep, LTL.G (LTL.F (LTL.takes [TI.Top'Send 1])));
  SL.Draw {File = \"dead.svg\", States = SLListDeadMarkings sweep, Depth = 1};
With the stored state space, as in CPN Tools:
  PredAllNodes (fn n => cf (1, Mark.Top'Buffer 1 n) > 0);
  NodesInPath (InitNode, hd (ListDeadMarkings ()));
  use (ogpath ^ \"ASKCTL/ASKCTLloader.sml\");
  eval_node (INV (POS (NF (\"first\", fn n => n = InitNode)))) InitNode;

Examples:
  sweepline ml model.cpn queries.sml
  sweepline ml model.cpn queries.sml --param n=100 --json
  sweepline ml model.cpn --aux";
