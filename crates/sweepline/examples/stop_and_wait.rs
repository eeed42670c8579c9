//! The stop-and-wait protocol as a plain Rust type, swept by the number of delivered packets.
//!
//! A sender transmits packets one at a time over a lossy channel and repeats each until it is acknowledged.
//! The model has the number of states in the tables of the first papers on the sweep-line method, 271 n - 134
//! states for n packets, and the sweep stores about a hundred of them.
//!
//! ```console
//! $ cargo run --release --example stop_and_wait -- 100000
//! ```

use serde::{Deserialize, Serialize};
use sweepline::{Check, System, progress};

/// The protocol for a number of packets.
pub struct StopAndWait {
    /// Packets to send.
    pub packets: u32,
}

/// What was sent and received. Packets are numbered from one; zero is an empty buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct State {
    /// The packet being sent.
    pub sending: u32,
    /// It is acknowledged.
    pub acked: bool,
    /// The retransmission timer runs.
    pub timer: bool,
    /// The data buffers at both ends of the channel.
    pub data: [u32; 2],
    /// The acknowledgement buffers at both ends.
    pub ack: [u32; 2],
    /// Packets received in order.
    pub received: u32,
    /// An acknowledgement is due.
    pub owes_ack: bool,
}

/// The steps of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Step {
    Accept,
    Send,
    TimeOut,
    TakeAck,
    DropAck,
    TransmitData,
    LoseData,
    TransmitAck,
    LoseAck,
    Receive,
    SendAck,
}

impl System for StopAndWait {
    type State = State;
    type Action = Step;

    fn initial(&self) -> Vec<State> {
        vec![State {
            sending: 0,
            acked: true,
            timer: false,
            data: [0; 2],
            ack: [0; 2],
            received: 0,
            owes_ack: false,
        }]
    }

    fn successors(&self, s: &State, push: &mut dyn FnMut(Step, State)) {
        let ([sent, arriving], [returning, returned]) = (s.data, s.ack);
        if s.acked && !s.timer && returned == 0 && s.sending < self.packets {
            push(Step::Accept, State { sending: s.sending + 1, acked: false, ..*s });
        }
        if !s.acked && !s.timer && sent == 0 {
            push(Step::Send, State { data: [s.sending, arriving], timer: true, ..*s });
        }
        if s.timer {
            push(Step::TimeOut, State { timer: false, ..*s });
        }
        if returned == s.sending && !s.acked {
            push(Step::TakeAck, State { acked: true, ..*s });
        }
        if returned != 0 && (s.acked || returned != s.sending) {
            push(Step::DropAck, State { ack: [returning, 0], ..*s });
        }
        if sent != 0 && arriving == 0 {
            push(Step::TransmitData, State { data: [0, sent], ..*s });
            push(Step::LoseData, State { data: [0, arriving], ..*s });
        }
        if returning != 0 && returned == 0 {
            push(Step::TransmitAck, State { ack: [0, returning], ..*s });
            push(Step::LoseAck, State { ack: [0, returned], ..*s });
        }
        if arriving != 0 && !s.owes_ack {
            let received = s.received + u32::from(arriving == s.received + 1);
            push(Step::Receive, State { data: [sent, 0], owes_ack: true, received, ..*s });
        }
        if s.owes_ack && returning == 0 {
            push(Step::SendAck, State { ack: [s.received, returned], owes_ack: false, ..*s });
        }
    }
}

fn main() {
    let packets =
        std::env::args().nth(1).map_or(1_000, |n| n.parse().expect("a number of packets"));
    let report = Check::new(&StopAndWait { packets })
        .progress(progress::by(|s: &State| s.received))
        .never("a packet is received before it is sent", |s| s.received > s.sending)
        .reach("all packets are received", |s| s.received == packets)
        .never("it ends too early", move |s| s.acked && s.received < s.sending)
        .run();
    report.assert_holds();
    let figures = &report.statistics;
    println!(
        "{packets} packets: {} states, of which at most {} were stored",
        figures.explored, figures.peak_states
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use sweepline::{Options, Report, Statistics};

    fn sweep(packets: u32, options: Options) -> Statistics {
        let report: Report<StopAndWait> = Check::new(&StopAndWait { packets })
            .progress(progress::by(|s: &State| s.received))
            .options(options)
            .never("overtaken", |s| s.received > s.sending)
            .run();
        assert!(report.holds() && report.statistics.regress_edges == 0);
        report.statistics
    }

    #[test]
    fn the_counts_are_those_of_the_published_tables() {
        for (packets, states) in [(1, 137), (2, 408), (3, 679), (10, 2_576), (50, 13_416)] {
            let swept = sweep(packets, Options::default());
            assert_eq!((swept.states(), swept.dead), (Some(states), 1));
            let full = Check::new(&StopAndWait { packets }).run();
            assert_eq!(full.statistics.states(), Some(states));
        }
    }

    #[test]
    fn ten_times_the_packets_take_the_same_memory() {
        let (few, many) = (sweep(1_000, Options::default()), sweep(10_000, Options::default()));
        assert_eq!(few.peak_states, many.peak_states);
        assert!(many.peak_states < 600, "{} states stored", many.peak_states);
        // Only the records grow, because larger numbers take more bytes.
        assert!(many.peak_bytes <= few.peak_bytes + few.peak_bytes / 4);
    }

    #[test]
    fn collecting_after_each_2000_states_peaks_as_published() {
        // Published: 2,280 to 2,287 states, depending on the order within a layer; sweepline collects in
        // batches.
        let gc = sweep(200, Options { gc: Some(2_000), ..Options::default() });
        assert_eq!(gc.states(), Some(54_066));
        assert!((2_200..2_600).contains(&gc.peak_states), "{} states stored", gc.peak_states);
    }
}
