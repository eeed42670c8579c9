-- Lamport's TwoPhase (TLA+), N resource managers, self-loops left out.
const N: 8;
type
  RM: 0..N-1;
  RMState: enum { working, prepared, committed, aborted };
  TMState: enum { tminit, tmcommitted, tmaborted };
var
  rm: array[RM] of RMState;
  msg: array[RM] of boolean;
  heard: array[RM] of boolean;
  tm: TMState;

startstate begin
  for i: RM do rm[i] := working; msg[i] := false; heard[i] := false; end;
  tm := tminit;
end;

ruleset i: RM do
  rule "prepare" rm[i] = working ==> begin rm[i] := prepared; msg[i] := true; end;
  rule "choose_abort" rm[i] = working ==> begin rm[i] := aborted; end;
  rule "rcv_commit" tm = tmcommitted & rm[i] = prepared ==> begin rm[i] := committed; end;
  rule "rcv_abort_w" tm = tmaborted & rm[i] = working ==> begin rm[i] := aborted; end;
  rule "rcv_abort_p" tm = tmaborted & rm[i] = prepared ==> begin rm[i] := aborted; end;
  rule "rcv_prepared" tm = tminit & msg[i] & !heard[i] ==> begin heard[i] := true; end;
end;
rule "tm_commit" tm = tminit & forall i: RM do heard[i] end ==> begin tm := tmcommitted; end;
rule "tm_abort" tm = tminit ==> begin tm := tmaborted; end;
