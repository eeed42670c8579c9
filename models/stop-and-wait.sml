(* Sections 5 to 7 of Gallasch, Kristensen, Mailund: Sweep-Line State Space Exploration for Coloured Petri
   Nets (2002), as the paper writes them. *)

fun SWPM M = IntInf.fromInt
  (List.length (ms_to_col (SLMark.SWProtocol'Received 1 M)));
val RNPM = SWPM;

SL.ExploreStateSpace{PM=SWPM,
  GC = 100,
  Secs = 300,
  Logfile = NONE
};

fun DupPackets M =
  let
    val packets = (ms_to_col (SLMark.Receiver'Received 1 M))
  in
    List.length (remdupl packets) <> (List.length packets)
  end;

SLReachable ({PM=SWPM,GC=100,Secs=300,Logfile=NONE},
             DupPackets, true);

fun TransmitDataCount M = mssize (SLMark.Sender'TransmitData 1 M);

SLBestUpperInteger ({PM=SWPM,GC=100,Secs=300,Logfile=NONE},
                    TransmitDataCount);
SLBestLowerInteger ({PM=SWPM,GC=100,Secs=300,Logfile=NONE},
                    TransmitDataCount);

SLBestUpperMultiSet ({PM=SWPM,GC=100,Secs=300,Logfile=NONE},
                    (SLMark.Sender'TransmitData 1));
SLBestLowerMultiSet ({PM=SWPM,GC=100,Secs=300,Logfile=NONE},
                    (SLMark.Sender'TransmitData 1));

SLListDeadMarkings {PM=RNPM,GC=100,Secs=300,Logfile=NONE};

SLListDeadTIs {PM=RNPM,GC=100,Secs=300,Logfile=NONE};

(* Their implementations, by the generic functions; `Store = keep` means `fn _ => keep`. *)

fun SLReachable ({PM=pm,GC=gc,Secs=secs,Logfile=logfile},
                 markpred,keep) =
  (SL.ExploreStates
   {PM=pm,GC=gc,Secs=secs,Logfile=logfile,
    Pred = markpred,
    Store = (fn _ => keep),
    Eval = (fn _ => 1),
    Comb = (fn (a,b) => a+b),
    Init = 0}) > 0;

fun SLBestUpperInteger ({PM=pm,GC=gc,Secs=secs,Logfile=logfile},
                        evalfun) =
  (SL.ExploreStates
   {PM=pm,GC=gc,Secs=secs,Logfile=logfile,
    Pred = (fn _ => true),
    Store = (fn _ => false),
    Eval = evalfun,
    Comb = (fn (a,b) => Int.max(a,b)),
    Init = 0})

fun SLListDeadMarkings {PM=pm,GC=gc,Secs=secs,Logfile=logfile} =
  SL.ExploreDeadStates {PM=pm,GC=gc,Secs=secs,Logfile=logfile,
    Pred = (fn _ => true),
    Store = (fn _ => true),
    Eval = GetNodeNo,
    Comb = (fn (a,b) => b::a),
    Init = []};

fun SLArcToTI (_,b,_) = BToTI b;

fun RemoveTI (ts,t) = List.filter (fn t' => t' <> t) ts;

fun SLListDeadTIs {PM=pm,GC=gc,Secs=secs,Logfile=logfile} =
  SL.ExploreArcs
    {PM=pm,GC=gc,Secs=secs,Logfile=logfile,
      Pred = (fn _ => true),
      Eval = SLArcToTI,
      Comb = RemoveTI,
      Init = TI.All};

val sweep = {PM=SWPM,GC=100,Secs=300,Logfile=NONE};
SLReachable (sweep, DupPackets, true);
SLReachable (sweep, fn M => TransmitDataCount M = 1, false);
SLBestUpperInteger (sweep, TransmitDataCount);
length (SLListDeadMarkings sweep);
length (SL.Kept ());
SLListDeadTIs sweep;

(* All at once: markings, arcs and dead markings counted, and the losses of packets among the arcs. *)

SL.Explore
  {Sweep = sweep,
   NodeInit = 0, NodeComb = op +, NodeEval = fn _ => 1, NodePred = fn _ => true,
   NodeStore = fn _ => false,
   ArcInit = (0, 0), ArcComb = fn ((all, lost), l) => (all + 1, lost + l),
   ArcEval = fn (_, Bind.Channel'LosePacket (1, {k}), _) => if k > 0 then 1 else 0 | _ => 0,
   ArcPred = fn _ => true,
   DeadInit = [], DeadComb = fn (l, M) => M :: l, DeadEval = SLMark.SWProtocol'Received 1,
   DeadPred = fn _ => true, DeadStore = fn _ => true};

(* The stored state space says the same. *)

NoOfNodes ();
(NoOfArcs (), length (PredAllArcs (fn a => case ArcToBE a of Bind.Channel'LosePacket _ => true | _ => false)));
UpperInteger (Mark.Sender'TransmitData 1);
LowerInteger (Mark.Sender'TransmitData 1);
UpperMultiSet (Mark.Sender'TransmitData 1);
LowerMultiSet (Mark.Sender'TransmitData 1);
map (Mark.SWProtocol'Received 1) (ListDeadMarkings ());
ListDeadTIs ();
