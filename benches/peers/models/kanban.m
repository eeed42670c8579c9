-- Ciardo's Kanban net with N kanbans per cell, one counter per place; no deadlock.
const N: 5;
type Count: 0..N;
var
  m1: Count; back1: Count; out1: Count; free1: Count;
  m2: Count; back2: Count; out2: Count; free2: Count;
  m3: Count; back3: Count; out3: Count; free3: Count;
  m4: Count; back4: Count; out4: Count; free4: Count;

startstate begin
  m1 := 0; back1 := 0; out1 := 0; free1 := N;
  m2 := 0; back2 := 0; out2 := 0; free2 := N;
  m3 := 0; back3 := 0; out3 := 0; free3 := N;
  m4 := 0; back4 := 0; out4 := 0; free4 := N;
end;
rule "redo1" m1 > 0 ==> begin m1 := m1 - 1; back1 := back1 + 1; end;
rule "ok1" m1 > 0 ==> begin m1 := m1 - 1; out1 := out1 + 1; end;
rule "return1" back1 > 0 ==> begin back1 := back1 - 1; m1 := m1 + 1; end;
rule "redo2" m2 > 0 ==> begin m2 := m2 - 1; back2 := back2 + 1; end;
rule "ok2" m2 > 0 ==> begin m2 := m2 - 1; out2 := out2 + 1; end;
rule "return2" back2 > 0 ==> begin back2 := back2 - 1; m2 := m2 + 1; end;
rule "redo3" m3 > 0 ==> begin m3 := m3 - 1; back3 := back3 + 1; end;
rule "ok3" m3 > 0 ==> begin m3 := m3 - 1; out3 := out3 + 1; end;
rule "return3" back3 > 0 ==> begin back3 := back3 - 1; m3 := m3 + 1; end;
rule "redo4" m4 > 0 ==> begin m4 := m4 - 1; back4 := back4 + 1; end;
rule "ok4" m4 > 0 ==> begin m4 := m4 - 1; out4 := out4 + 1; end;
rule "return4" back4 > 0 ==> begin back4 := back4 - 1; m4 := m4 + 1; end;
rule "in1" free1 > 0 ==> begin free1 := free1 - 1; m1 := m1 + 1; end;
rule "sync1" out1 > 0 & free2 > 0 & free3 > 0 ==> begin out1 := out1 - 1; free2 := free2 - 1; free3 := free3 - 1; m2 := m2 + 1; m3 := m3 + 1; free1 := free1 + 1; end;
rule "sync2" out2 > 0 & out3 > 0 & free4 > 0 ==> begin out2 := out2 - 1; out3 := out3 - 1; free4 := free4 - 1; m4 := m4 + 1; free2 := free2 + 1; free3 := free3 + 1; end;
rule "out" out4 > 0 ==> begin out4 := out4 - 1; free4 := free4 + 1; end;
