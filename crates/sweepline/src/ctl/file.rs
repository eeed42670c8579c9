//! A stack of records in a temporary file.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::ops::Range;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::codec;

/// Where a record is in the file: its bytes, and eight for their number.
pub(super) type Place = Range<u64>;

/// Layers, or what is known of them, in a temporary file that is created with the first. They are read again from last to
/// first, more than once if need be, or by their places.
pub(super) struct Pile<T> {
    file: Option<BufWriter<File>>,
    /// The bytes written.
    top: u64,
    /// Where the next record to be popped ends.
    end: u64,
    of: PhantomData<T>,
}

impl<T> Default for Pile<T> {
    fn default() -> Self {
        Pile { file: None, top: 0, end: 0, of: PhantomData }
    }
}

impl<T: Serialize + DeserializeOwned> Pile<T> {
    /// Puts a record on top, and returns its place.
    pub(super) fn push(&mut self, record: &T) -> io::Result<Place> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(BufWriter::with_capacity(1 << 16, tempfile::tempfile()?)),
        };
        let (bytes, place) = (codec::to_bytes(record), self.top);
        file.write_all(&bytes)?;
        file.write_all(&(bytes.len() as u64).to_le_bytes())?;
        self.top += bytes.len() as u64 + 8;
        self.end = self.top;
        Ok(place..self.top)
    }

    /// Takes the record from the top, and its place. After that no record can be pushed.
    pub(super) fn pop(&mut self) -> io::Result<Option<(T, Place)>> {
        let 8.. = self.end else { return Ok(None) };
        let length = self.bytes(self.end - 8..self.end)?.try_into().map_err(|_| damaged())?;
        let start = self.end.checked_sub(u64::from_le_bytes(length) + 8).ok_or_else(damaged)?;
        let place = start..self.end;
        self.end = start;
        Ok(Some((self.read(&place)?, place)))
    }

    /// Puts back all records that were popped.
    pub(super) fn rewind(&mut self) {
        self.end = self.top;
    }

    /// The record at a place.
    pub(super) fn read(&mut self, place: &Place) -> io::Result<T> {
        let end = place.end.checked_sub(8).ok_or_else(damaged)?;
        codec::read(&self.bytes(place.start..end)?).ok_or_else(damaged)
    }

    fn bytes(&mut self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let writer = self.file.as_mut().ok_or_else(damaged)?;
        writer.flush()?;
        let file = writer.get_mut();
        file.seek(SeekFrom::Start(range.start))?;
        let mut bytes = vec![0; range.end.saturating_sub(range.start) as usize];
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the file of layers is damaged")
}

#[cfg(test)]
mod tests {
    use fixedbitset::FixedBitSet;

    use super::super::layer::{Layer, Outside};
    use super::*;
    use crate::observe::Graph;

    #[test]
    fn the_last_layer_comes_first() {
        let mut pile = Pile::default();
        assert_eq!(pile.pop().expect("nothing to read"), None);
        let (mut layers, mut places) = (Vec::new(), Vec::new());
        for serial in 1..4u32 {
            let atom = FixedBitSet::from_iter([70 * serial as usize]);
            layers.push(Layer {
                serial: serial.into(),
                first: 1,
                states: 300,
                graph: Graph::from_edges(serial as usize + 2, &[(0, (), 1), (serial, (), 0)]),
                outside: vec![Outside { source: 1, number: 7, layer: 1 << 40 }; serial as usize],
                atoms: vec![atom, FixedBitSet::new()],
            });
            places.push(pile.push(&layers[serial as usize - 1]).expect("a layer is written"));
        }
        for _ in 0..2 {
            pile.rewind();
            for number in (0..3).rev() {
                let popped = pile.pop().expect("a layer is read");
                assert_eq!(popped, Some((layers[number].clone(), places[number].clone())));
            }
            assert_eq!(pile.pop().expect("nothing is left"), None);
        }
        for number in [1, 0, 2] {
            let read = pile.read(&places[number]).expect("a layer is read");
            assert_eq!(read, layers[number]);
        }
    }
}
