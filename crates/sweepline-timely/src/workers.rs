//! The workers of one process, connected with those of the others.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sweepline::check::{Cluster, Explored, Observers, Task};
use sweepline::codec::{read, to_bytes};
use sweepline::observe::Fork;
use sweepline::part::Place;
use sweepline::{Model, Observer, Options, Paths, StopReason, WitnessMode};
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::{Allocator, Hooks};

use crate::control::{Broken, Control};
use crate::flow::Flow;
use crate::hosts::Joined;
use crate::paths::Trail;
use crate::saving::{
    Continued, Folder, FolderLock, PartName, Saving, Shared, continued, newest, own_parts, parts,
};
use crate::socket::{Losses, Socket};
use crate::terms::Terms;
use crate::vigil::Vigil;
use crate::worker::{Ended, Member};

/// The workers of this process.
pub struct Workers {
    threads: usize,
    processes: usize,
    folder: Option<Folder>,
    terms: Terms,
    advice: String,
    /// The connections, for one exploration.
    links: Mutex<Option<Links>>,
}

/// The connections to the other processes.
struct Links {
    control: Control,
    sockets: Vec<Option<Socket>>,
    losses: Losses,
}

/// A worker before its thread starts: timely's allocators cannot change their threads.
enum Builder {
    Process(ProcessBuilder),
    Tcp(TcpBuilder),
}

impl Builder {
    fn build(self) -> Allocator {
        match self {
            Builder::Process(builder) => Allocator::Process(builder.build()),
            Builder::Tcp(builder) => Allocator::Tcp(builder.build()),
        }
    }
}

impl Workers {
    /// `threads` workers in this process alone.
    pub fn local(threads: usize) -> Self {
        Workers {
            threads: threads.max(1),
            processes: 1,
            folder: None,
            terms: Terms::default(),
            advice: "run again".into(),
            links: Mutex::new(None),
        }
    }

    /// `threads` workers in this process, and as many in each of the others. For one exploration.
    pub fn connected(joined: Joined, threads: usize) -> Self {
        let Joined { control, sockets, losses, hosts } = joined;
        let links = Mutex::new(Some(Links { control, sockets, losses }));
        Workers { processes: hosts.len(), links, ..Workers::local(threads) }
    }

    /// Writes checkpoints to `folder`, and continues one. A checkpoint is only continued by a run with the same
    /// `terms`, which are not those about the number of workers.
    #[must_use]
    pub fn checkpoints(mut self, folder: Folder, terms: Terms) -> Self {
        (self.folder, self.terms) = (Some(folder), terms);
        self
    }

    /// What a user can do when another process was lost.
    #[must_use]
    pub fn advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = advice.into();
        self
    }

    /// The checkpoints of each worker of this process.
    fn saving(
        &self,
        control: &mut Control,
        options: &Options,
    ) -> Result<Vec<Option<Saving>>, StopReason> {
        let Some(folder) = &self.folder else {
            return Ok((0..self.threads).map(|_| None).collect());
        };
        let process = control.index();
        // All processes learn of a folder that cannot be used.
        let found = parts(&folder.path);
        let own = found.as_ref().map_err(ToString::to_string);
        let listed: Vec<Vec<PartName>> = self.shared(control, options, &own)?;
        found?;
        let (mut number, mut all_parts) = (0, Vec::new());
        if folder.resume {
            (number, all_parts) = newest(&folder.path, &listed)?;
        } else if listed.iter().any(|parts| !parts.is_empty()) {
            let file = folder.path.clone();
            return Err(sweepline::checkpoint::Error::Exists { file }.into());
        }
        let here = (process, self.threads);
        let found = own_parts(&folder.path, &all_parts, here, &self.terms);
        let own = found.as_ref().map(|(_, shared)| shared).map_err(ToString::to_string);
        let shared: Vec<Option<Shared>> = self.shared(control, options, &own)?;
        let (own, _) = found?;
        let shared = shared
            .into_iter()
            .flatten()
            .reduce(|one, other| Shared { before: one.before.max(other.before), ..one });
        let earlier = |shared: &Shared| (shared.before, shared.resumed);
        let (before, resumed) = shared.as_ref().map(earlier).unwrap_or_default();
        let each: Vec<Option<Continued>> =
            own.into_iter().map(|own| Some(continued(own, shared.as_ref()?))).collect();
        let peers = (self.processes * self.threads) as u32;
        let savings = each.into_iter().enumerate().map(|(local, continued)| {
            let place = Place { index: (process * self.threads + local) as u32, peers };
            let earlier = (continued, before, resumed);
            Some(Saving::new(folder, &self.terms, place, local == 0, number + 1, earlier))
        });
        Ok(savings.collect())
    }

    /// Shares what this process has found. Returns what all processes have found, unless one of them failed.
    fn shared<T: DeserializeOwned>(
        &self,
        control: &mut Control,
        options: &Options,
        own: &Result<impl Serialize, String>,
    ) -> Result<Vec<T>, StopReason> {
        let interrupt = options.interrupt.clone();
        let all = control.share(&to_bytes(own), &|| interrupt.is_raised());
        let all = all.map_err(|broken| match broken {
            Broken::Lost(process) => {
                StopReason::Lost(format!("{process} was lost: {}", self.advice))
            }
            Broken::Stopped => interrupt.reason().unwrap_or(StopReason::Interrupted),
        })?;
        let mut found = Vec::new();
        for (process, bytes) in all.iter().enumerate() {
            match read::<Result<T, String>>(bytes) {
                Some(Ok(one)) => found.push(one),
                // This process reports its own failure.
                Some(Err(_)) if process == control.index() => break,
                Some(Err(message)) => return Err(StopReason::Cluster(message)),
                None => return Err(StopReason::Internal("a process sent no list of files".into())),
            }
        }
        Ok(found)
    }

    /// The allocators of the workers, and timely's network threads if there are several processes.
    fn builders(
        &self,
        index: usize,
        sockets: Vec<Option<Socket>>,
    ) -> Result<(Vec<Builder>, Option<CommsGuard>), StopReason> {
        let hooks = Hooks::default();
        let own = ProcessBuilder::new_bytes_vector(self.threads, hooks.refill.clone(), None);
        if self.processes == 1 {
            return Ok((own.into_iter().map(Builder::Process).collect(), None));
        }
        let made = initialize_networking_from_sockets(own, sockets, index, self.threads, hooks);
        let (builders, guard) = made.map_err(|error| StopReason::Cluster(error.to_string()))?;
        Ok((builders.into_iter().map(Builder::Tcp).collect(), Some(guard)))
    }

    fn explore_with<M: Model>(
        &self,
        task: &Task<'_, M>,
        observers: &Observers<'_, M>,
        links: Links,
        watcher: &mut dyn Observer<M>,
    ) -> Result<Explored, StopReason> {
        let Links { mut control, sockets, losses } = links;
        let lock = self.folder.as_ref().map(|folder| FolderLock::take(folder, control.index()));
        let _lock = lock.transpose()?;
        let savings = self.saving(&mut control, task.options)?;
        let mut options = task.options.clone();
        options.limits = options.limits.started();
        options.limits.memory = options.limits.memory.map(|limit| limit / self.threads as u64);
        let no_observer = || StopReason::Cluster("a property needs one process".into());
        let observers = observers.each(task.model, self.threads).ok_or_else(no_observer)?;
        let (builders, guard) = self.builders(control.index(), sockets)?;
        let vigil = Vigil::new(
            losses,
            options.interrupt.clone(),
            options.limits.ends(),
            self.advice.clone(),
            self.threads,
        );
        let crew = Crew { task, options: &options, vigil: &vigil, threads: self.threads };
        let (first, others) = crew.work(builders, savings, observers, watcher);
        let mut logs = Vec::from_iter(first.log);
        logs.extend(others.into_iter().filter_map(|other| other.log));
        match guard {
            // Its threads wait for processes that are gone.
            Some(guard) if matches!(first.stop, Some(StopReason::Lost(_))) => {
                std::mem::forget(guard)
            }
            Some(guard) => end_network(guard),
            None => {}
        }
        let is_lost = matches!(first.stop, Some(StopReason::Lost(_)));
        let is_kept = options.witness == WitnessMode::Disk && !is_lost;
        let paths = is_kept.then(|| {
            Box::new(Trail {
                logs,
                control,
                peers: (self.processes * self.threads) as u32,
                threads: self.threads,
                first_step: first.first_step,
                interrupt: options.interrupt.clone(),
            }) as Box<dyn Paths>
        });
        Ok(Explored {
            statistics: first.statistics,
            stop: first.stop,
            saved: first.saved,
            facts: first.facts,
            paths,
            workers: first.shares,
        })
    }
}

/// Waits for timely's network threads, which send what is left and close the connections; not for long.
fn end_network(guard: CommsGuard) {
    let waiter = thread::spawn(move || drop(guard));
    for _ in 0..500 {
        if waiter.is_finished() {
            break;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// The threads of an exploration.
struct Crew<'c, 't, M: Model> {
    task: &'t Task<'t, M>,
    options: &'t Options,
    vigil: &'c Vigil,
    threads: usize,
}

impl<'t, M: Model> Crew<'_, 't, M> {
    /// Lets all workers of this process explore, the first one on this thread.
    fn work(
        &self,
        builders: Vec<Builder>,
        savings: Vec<Option<Saving>>,
        observers: Vec<Fork<'t, M>>,
        watcher: &mut dyn Observer<M>,
    ) -> (Ended, Vec<Ended>) {
        let parts = builders.into_iter().zip(savings).zip(observers);
        let mut parts = parts.map(|((builder, saving), observer)| (builder, saving, observer));
        let first = parts.next().expect("there is a worker");
        thread::scope(|scope| {
            let others: Vec<_> =
                parts.map(|part| scope.spawn(move || self.one(part, None))).collect();
            let first = self.one(first, Some(watcher));
            let join = |other: thread::ScopedJoinHandle<'_, Ended>| {
                other.join().unwrap_or_else(|panic| resume_unwind(panic))
            };
            (first, others.into_iter().map(join).collect())
        })
    }

    fn one(
        &self,
        (builder, saving, observer): (Builder, Option<Saving>, Fork<'t, M>),
        watcher: Option<&mut dyn Observer<M>>,
    ) -> Ended {
        let flow = Flow::new(builder.build());
        let connections = (flow, self.vigil.clone(), saving);
        let worked = catch_unwind(AssertUnwindSafe(|| {
            let (task, options) = (self.task, self.options);
            Member::new(task, options, connections, observer, self.threads).run(watcher)
        }));
        worked.unwrap_or_else(|panic| {
            // The others must not wait for it.
            self.vigil.losses.note("a worker of this process");
            resume_unwind(panic)
        })
    }
}

impl<M: Model> Cluster<M> for Workers {
    fn explore(
        &self,
        task: &Task<'_, M>,
        observers: &Observers<'_, M>,
        watcher: &mut dyn Observer<M>,
    ) -> Explored {
        let links = match self.processes {
            1 => {
                let (control, losses) = (Control::default(), Losses::default());
                Some(Links { control, sockets: Vec::new(), losses })
            }
            _ => self.links.lock().unwrap_or_else(PoisonError::into_inner).take(),
        };
        let Some(links) = links else {
            let what = "several processes make one exploration only".to_owned();
            return Explored::refused(StopReason::Cluster(what));
        };
        self.explore_with(task, observers, links, watcher).unwrap_or_else(Explored::refused)
    }
}
