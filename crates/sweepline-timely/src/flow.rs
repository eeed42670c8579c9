//! The dataflow: parcels that are exchanged, and the frontier that tells when all of them have arrived.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use timely::WorkerConfig;
use timely::communication::Allocator;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::Input;
use timely::dataflow::operators::generic::Operator;
use timely::worker::Worker;

/// Bytes on their way from one worker to another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Parcel {
    pub(crate) to: u32,
    pub(crate) from: u32,
    /// Its number among those that the sender sends to the receiver in this exchange.
    number: u32,
    /// Whether it is the last of them.
    is_last: bool,
    pub(crate) bytes: Blob,
}

/// Bytes that are copied as a whole.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Blob(pub(crate) Vec<u8>);

impl Serialize for Blob {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Blob;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Blob, E> {
                Ok(Blob(bytes.to_vec()))
            }

            fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Blob, E> {
                Ok(Blob(bytes))
            }
        }
        deserializer.deserialize_byte_buf(Bytes)
    }
}

/// How often a worker that waits looks for messages before it sleeps.
const SPINS: u32 = 30;
/// How long it sleeps at most; a message wakes it.
const NAP: Duration = Duration::from_millis(2);
/// How long a worker waits for the others to end.
const FAREWELL: Duration = Duration::from_secs(5);

type Inbox = Rc<RefCell<Vec<(u64, Parcel)>>>;

/// One worker's end of the dataflow.
///
/// Timely's timestamp is the number of an exchange, and an exchange is complete when the frontier has passed its
/// number. A worker need not wait for that: the parcels of each sender are numbered, and the last one is marked,
/// so it knows that an exchange is complete as soon as all parcels have arrived. The frontier follows, two
/// messages later.
pub(crate) struct Flow {
    worker: Worker,
    input: InputHandle<u64, CapacityContainerBuilder<Vec<Parcel>>>,
    inbox: Inbox,
    /// The number of the current exchange.
    time: u64,
    index: u32,
    peers: u32,
    /// Time spent waiting for other workers, and bytes sent to them.
    pub(crate) waited: Duration,
    pub(crate) sent: u64,
}

impl Flow {
    pub(crate) fn new(allocator: Allocator) -> Self {
        let mut worker = Worker::new(WorkerConfig::default(), allocator, None);
        let (index, peers) = (worker.index() as u32, worker.peers() as u32);
        let mut input = InputHandle::new();
        let inbox = Inbox::default();
        let arrived = Rc::clone(&inbox);
        worker.dataflow::<u64, _, _>(|scope| {
            let pact = Exchange::new(|parcel: &Parcel| u64::from(parcel.to));
            scope.input_from(&mut input).unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
                pact,
                "inbox",
                |_, _| {
                    move |input, _output| {
                        input.for_each(|time, parcels: &mut Vec<Parcel>| {
                            let numbered = parcels.drain(..).map(|parcel| (*time.time(), parcel));
                            arrived.borrow_mut().extend(numbered);
                        });
                    }
                },
            );
        });
        let (waited, sent) = (Duration::ZERO, 0);
        Flow { worker, input, inbox, time: 0, index, peers, waited, sent }
    }

    pub(crate) fn index(&self) -> u32 {
        self.index
    }

    pub(crate) fn peers(&self) -> u32 {
        self.peers
    }

    /// Sends `parcels`, given with their destinations, and waits until those of all workers have arrived.
    /// Returns them in an order that does not depend on when they arrived. Calls `check` while it waits; its
    /// error ends the wait.
    pub(crate) fn exchange<E>(
        &mut self,
        parcels: impl IntoIterator<Item = (u32, Vec<u8>)>,
        check: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<Parcel>, E> {
        let mut lists: Vec<Vec<Vec<u8>>> = vec![Vec::new(); self.peers as usize];
        for (to, bytes) in parcels {
            lists[to as usize].push(bytes);
        }
        let mut arrived: Vec<Parcel> = Vec::new();
        for (to, mut list) in (0..).zip(lists) {
            if list.is_empty() {
                list.push(Vec::new());
            }
            let last = list.len() - 1;
            for (number, bytes) in list.into_iter().enumerate() {
                let (number, is_last) = (number as u32, number == last);
                let parcel = Parcel { to, from: self.index, number, is_last, bytes: Blob(bytes) };
                if to == self.index {
                    arrived.push(parcel);
                } else {
                    self.sent += parcel.bytes.0.len() as u64;
                    self.input.send(parcel);
                }
            }
        }
        let time = self.time;
        self.time += 1;
        self.input.advance_to(self.time);
        self.input.flush();
        self.wait(time, &mut arrived, check)?;
        arrived.retain(|parcel| !parcel.bytes.0.is_empty());
        arrived.sort_by_key(|parcel| (parcel.from, parcel.number));
        Ok(arrived)
    }

    /// Waits until all parcels of the exchange `time` have `arrived`.
    fn wait<E>(
        &mut self,
        time: u64,
        arrived: &mut Vec<Parcel>,
        mut check: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let (started, mut spins) = (Instant::now(), 0);
        // How many parcels of all senders are known to belong to the exchange, and how many senders are done.
        let (mut expected, mut ended) = (arrived.len(), 1);
        loop {
            let mut inbox = self.inbox.borrow_mut();
            if !inbox.is_empty() {
                // A worker that is ahead may have sent parcels of the next exchange already.
                let (now, later): (Vec<_>, Vec<_>) = inbox.drain(..).partition(|(t, _)| *t == time);
                *inbox = later;
                for (_, parcel) in now {
                    if parcel.is_last {
                        (expected, ended) = (expected + parcel.number as usize + 1, ended + 1);
                    }
                    arrived.push(parcel);
                }
            }
            drop(inbox);
            if ended == self.peers && arrived.len() == expected {
                self.waited += started.elapsed();
                return Ok(());
            }
            if spins < SPINS {
                spins += 1;
                self.worker.step();
            } else {
                // Timely does not sleep while an operator is active; another worker may need this core.
                std::thread::yield_now();
                self.worker.step_or_park(Some(NAP));
                check()?;
            }
        }
    }

    /// The same with one message for all workers. Returns their messages in the order of the workers.
    pub(crate) fn broadcast<E>(
        &mut self,
        message: &[u8],
        check: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<Vec<u8>>, E> {
        let (sent, peers) = (self.sent, self.peers);
        let parcels = self.exchange((0..peers).map(|to| (to, message.to_vec())), check)?;
        self.sent = sent;
        Ok(parcels.into_iter().map(|parcel| parcel.bytes.0).collect())
    }

    /// Ends the dataflow, together with all other workers.
    pub(crate) fn finish(self) {
        let Flow { mut worker, input, .. } = self;
        drop(input);
        let until = Instant::now() + FAREWELL;
        while worker.has_dataflows() && Instant::now() < until {
            worker.step_or_park(Some(NAP));
        }
    }
}
