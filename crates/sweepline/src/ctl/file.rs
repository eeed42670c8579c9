//! Layers that are passed, on disk, to be read again last first.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use super::bits::Bits;
use super::layer::{Layer, Outside};
use crate::observe::Graph;

/// A pile of layers in a temporary file, which is made when the first comes.
#[derive(Default)]
pub(super) struct Pile {
    file: Option<BufWriter<File>>,
    /// Where the file ends, as far as layers were not taken.
    end: u64,
}

impl Pile {
    /// Puts a layer on top.
    pub(super) fn push(&mut self, layer: &Layer) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(BufWriter::with_capacity(1 << 16, tempfile::tempfile()?)),
        };
        let bytes = encode(layer);
        file.write_all(&bytes)?;
        file.write_all(&(bytes.len() as u64).to_le_bytes())?;
        self.end += bytes.len() as u64 + 8;
        Ok(())
    }

    /// Takes the layer from the top. After that no layer can be pushed.
    pub(super) fn pop(&mut self) -> io::Result<Option<Layer>> {
        let (Some(writer), 8..) = (&mut self.file, self.end) else { return Ok(None) };
        writer.flush()?;
        let file = writer.get_mut();
        let mut length = [0; 8];
        file.seek(SeekFrom::Start(self.end - 8))?;
        file.read_exact(&mut length)?;
        let length = u64::from_le_bytes(length);
        self.end = self.end.checked_sub(length + 8).ok_or_else(damaged)?;
        file.seek(SeekFrom::Start(self.end))?;
        let mut bytes = vec![0; length as usize];
        file.read_exact(&mut bytes)?;
        decode(&bytes).ok_or_else(damaged).map(Some)
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the file of layers is damaged")
}

fn encode(layer: &Layer) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(layer.bytes() + 64);
    let mut long = |n: u64| bytes.extend_from_slice(&n.to_le_bytes());
    for n in [layer.serial, layer.first, layer.states as u64, layer.graph.len() as u64] {
        long(n);
    }
    for n in [layer.outside.len(), layer.atoms.len()] {
        long(n as u64);
    }
    for edge in &layer.outside {
        long(u64::from(edge.source) << 32 | u64::from(edge.number));
        long(edge.layer);
    }
    for set in &layer.atoms {
        long(set.words().len() as u64);
        set.words().iter().for_each(|&word| long(word));
    }
    let mut short = |n: u32| bytes.extend_from_slice(&n.to_le_bytes());
    for node in layer.graph.nodes() {
        let targets = layer.graph.targets(node);
        short(targets.len() as u32);
        targets.iter().for_each(|&target| short(target));
    }
    bytes
}

fn decode(bytes: &[u8]) -> Option<Layer> {
    let mut rest = bytes;
    let mut long = || {
        let (first, after) = rest.split_first_chunk()?;
        rest = after;
        Some(u64::from_le_bytes(*first))
    };
    let (serial, first) = (long()?, long()?);
    let [states, nodes, n_outside, n_atoms] = [long()?, long()?, long()?, long()?];
    let (mut outside, mut atoms) = (Vec::new(), Vec::new());
    for _ in 0..n_outside {
        let ends = long()?;
        outside.push(Outside { source: (ends >> 32) as u32, number: ends as u32, layer: long()? });
    }
    for _ in 0..n_atoms {
        let n_words = long()?;
        atoms.push(Bits::of_words((0..n_words).map(|_| long()).collect::<Option<_>>()?));
    }
    let mut graph = Graph::default();
    let mut shorts = rest.chunks_exact(4).map(|four| {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(four);
        u32::from_le_bytes(bytes)
    });
    for node in 0..nodes as u32 {
        for _ in 0..shorts.next()? {
            graph.push(node, (), shorts.next()?);
        }
    }
    graph.grow(nodes as usize);
    Some(Layer { serial, first, states: states as usize, graph, outside, atoms })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_layer_comes_first() {
        let mut pile = Pile::default();
        assert_eq!(pile.pop().expect("nothing to read"), None);
        let mut layers = Vec::new();
        for serial in 1..4u32 {
            let mut atom = Bits::default();
            atom.add(70 * serial);
            layers.push(Layer {
                serial: serial.into(),
                first: 1,
                states: 300,
                graph: Graph::from_edges(serial as usize + 2, &[(0, (), 1), (serial, (), 0)]),
                outside: vec![Outside { source: 1, number: 7, layer: 1 << 40 }; serial as usize],
                atoms: vec![atom, Bits::default()],
            });
            pile.push(&layers[serial as usize - 1]).expect("a layer is written");
        }
        while let Some(layer) = pile.pop().expect("a layer is read") {
            assert_eq!(Some(layer), layers.pop());
        }
        assert_eq!(layers, []);
    }
}
