//! The compared systems as place/transition nets.

use crate::net::Net;
use crate::system::{Instance, System};

/// The net of a system at a size.
pub fn net(instance: Instance) -> Net {
    let n = instance.size;
    match instance.system {
        System::Tpc => two_phase_commit(n),
        System::Phil => philosophers(n),
        System::Kanban => kanban(n),
        System::Saw => stop_and_wait(n),
    }
}

/// Lamport's TwoPhase with `n` resource managers; steps that change nothing are left out.
fn two_phase_commit(n: u64) -> Net {
    let mut net = Net::new(format!("TwoPhase{n}"));
    net.place("tm_init", 1);
    net.place("tm_committed", 0);
    net.place("tm_aborted", 0);
    for i in 0..n {
        net.place(format!("working{i}"), 1);
        for place in ["prepared", "committed", "aborted", "msg"] {
            net.place(format!("{place}{i}"), 0);
        }
        net.place(format!("wait{i}"), 1);
        net.place(format!("heard{i}"), 0);
    }
    let with_all_heard = |first: &str| -> Vec<String> {
        std::iter::once(first.to_owned()).chain((0..n).map(|i| format!("heard{i}"))).collect()
    };
    net.transition("tm_commit", with_all_heard("tm_init"), with_all_heard("tm_committed"));
    net.transition("tm_abort", ["tm_init"], ["tm_aborted"]);
    for i in 0..n {
        resource_manager(&mut net, i);
    }
    net
}

fn resource_manager(net: &mut Net, i: u64) {
    let (working, prepared) = (format!("working{i}"), format!("prepared{i}"));
    let (committed, aborted) = (format!("committed{i}"), format!("aborted{i}"));
    let (msg, wait, heard) = (format!("msg{i}"), format!("wait{i}"), format!("heard{i}"));
    let mut add = |name: &str, takes: &[&str], gives: &[&str]| {
        net.transition(format!("{name}{i}"), takes.iter().copied(), gives.iter().copied());
    };
    add("rcv_prepared", &["tm_init", &msg, &wait], &["tm_init", &msg, &heard]);
    add("prepare", &[&working], &[&prepared, &msg]);
    add("choose_abort", &[&working], &[&aborted]);
    add("rcv_commit", &["tm_committed", &prepared], &["tm_committed", &committed]);
    add("rcv_abort_w", &["tm_aborted", &working], &["tm_aborted", &aborted]);
    add("rcv_abort_p", &["tm_aborted", &prepared], &["tm_aborted", &aborted]);
}

/// Philosophers who take either fork first: 3^n states, two of them dead.
fn philosophers(n: u64) -> Net {
    let mut net = Net::new(format!("Philosophers{n}"));
    for i in 0..n {
        net.place(format!("think{i}"), 1);
        net.place(format!("fork{i}"), 1);
        net.place(format!("left{i}"), 0);
        net.place(format!("right{i}"), 0);
        net.place(format!("eat{i}"), 0);
    }
    for i in 0..n {
        let (think, eat) = (format!("think{i}"), format!("eat{i}"));
        let (left, right) = (format!("left{i}"), format!("right{i}"));
        let (near, far) = (format!("fork{i}"), format!("fork{}", (i + 1) % n));
        net.transition(format!("takeL{i}"), [&think, &near], [&left]);
        net.transition(format!("takeR{i}"), [&think, &far], [&right]);
        net.transition(format!("thenR{i}"), [&left, &far], [&eat]);
        net.transition(format!("thenL{i}"), [&right, &near], [&eat]);
        net.transition(format!("end{i}"), [&eat], [&think, &near, &far]);
    }
    net
}

/// Ciardo's Kanban net: four cells with `n` kanbans each.
fn kanban(n: u64) -> Net {
    let mut net = Net::new(format!("Kanban{n}"));
    for i in 1..=4 {
        net.place(format!("m{i}"), 0);
        net.place(format!("back{i}"), 0);
        net.place(format!("out{i}"), 0);
        net.place(format!("free{i}"), n);
    }
    for i in 1..=4 {
        let (machine, back, out) = (format!("m{i}"), format!("back{i}"), format!("out{i}"));
        net.transition(format!("redo{i}"), [&machine], [&back]);
        net.transition(format!("ok{i}"), [&machine], [&out]);
        net.transition(format!("return{i}"), [&back], [&machine]);
    }
    net.transition("in1", ["free1"], ["m1"]);
    net.transition("sync1", ["out1", "free2", "free3"], ["m2", "m3", "free1"]);
    net.transition("sync2", ["out2", "out3", "free4"], ["m4", "free2", "free3"]);
    net.transition("out", ["out4"], ["free4"]);
    net
}

/// Stop-and-wait with `n` packets over lossy one-place buffers. A sequence number is one bit and
/// the counter `left`: in flight there is only ever the current packet or the one before, so the
/// net is isomorphic to the protocol with integers.
fn stop_and_wait(n: u64) -> Net {
    let mut net = Net::new(format!("StopAndWait{n}"));
    net.place("left", n);
    net.place("snd0", 1);
    net.place("snd1", 0);
    net.place("rcv0", 1);
    net.place("rcv1", 0);
    for buffer in ["td", "rd", "ta", "ra"] {
        net.place(format!("{buffer}_free"), 1);
        net.place(format!("{buffer}0"), 0);
        net.place(format!("{buffer}1"), 0);
    }
    for bit in [0, 1] {
        numbered_steps(&mut net, bit);
    }
    net
}

fn numbered_steps(net: &mut Net, bit: u8) {
    let names = |stem: &str| (format!("{stem}{bit}"), format!("{stem}{}", 1 - bit));
    let ((snd, snd_next), (rcv, rcv_next)) = (names("snd"), names("rcv"));
    let ((td, _), (rd, _)) = (names("td"), names("rd"));
    let ((ta, ta_next), (ra, ra_next)) = (names("ta"), names("ra"));
    let mut add = |name: &str, takes: &[&str], gives: &[&str]| {
        net.transition(format!("{name}{bit}"), takes.iter().copied(), gives.iter().copied());
    };
    add("send", &["left", &snd, "td_free"], &["left", &snd, &td]);
    add("pass_data", &[&td, "rd_free"], &[&rd, "td_free"]);
    add("lose_data", &[&td], &["td_free"]);
    add("recv_new", &[&rd, &rcv, "ta_free"], &["rd_free", &rcv_next, &ta_next]);
    add("recv_old", &[&rd, &rcv_next, "ta_free"], &["rd_free", &rcv_next, &ta_next]);
    add("pass_ack", &[&ta, "ra_free"], &[&ra, "ta_free"]);
    add("lose_ack", &[&ta], &["ta_free"]);
    add("ack_new", &[&ra_next, &snd, "left"], &["ra_free", &snd_next]);
    add("ack_old", &[&ra, &snd], &["ra_free", &snd]);
}
