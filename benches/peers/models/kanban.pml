/* Ciardo's Kanban net with N kanbans per cell, one counter per place; no deadlock. */
#ifndef N
#define N 5
#endif
byte m1, back1, out1, free1 = N;
byte m2, back2, out2, free2 = N;
byte m3, back3, out3, free3 = N;
byte m4, back4, out4, free4 = N;

active proctype Net()
{
     do
     :: atomic { m1 > 0 -> m1--; back1++ }
     :: atomic { m1 > 0 -> m1--; out1++ }
     :: atomic { back1 > 0 -> back1--; m1++ }
     :: atomic { m2 > 0 -> m2--; back2++ }
     :: atomic { m2 > 0 -> m2--; out2++ }
     :: atomic { back2 > 0 -> back2--; m2++ }
     :: atomic { m3 > 0 -> m3--; back3++ }
     :: atomic { m3 > 0 -> m3--; out3++ }
     :: atomic { back3 > 0 -> back3--; m3++ }
     :: atomic { m4 > 0 -> m4--; back4++ }
     :: atomic { m4 > 0 -> m4--; out4++ }
     :: atomic { back4 > 0 -> back4--; m4++ }
     :: atomic { free1 > 0 -> free1--; m1++ }
     :: atomic { out1 > 0 && free2 > 0 && free3 > 0 -> out1--; free2--; free3--; m2++; m3++; free1++ }
     :: atomic { out2 > 0 && out3 > 0 && free4 > 0 -> out2--; out3--; free4--; m4++; free2++; free3++ }
     :: atomic { out4 > 0 -> out4--; free4++ }
     od
}
