//! Layers that are passed, on disk, to be read again last first.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use super::layer::Layer;
use crate::codec;

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
        let bytes = codec::to_bytes(layer);
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
        codec::read(&bytes).ok_or_else(damaged).map(Some)
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the file of layers is damaged")
}

#[cfg(test)]
mod tests {
    use fixedbitset::FixedBitSet;

    use super::super::layer::Outside;
    use super::*;
    use crate::observe::Graph;

    #[test]
    fn the_last_layer_comes_first() {
        let mut pile = Pile::default();
        assert_eq!(pile.pop().expect("nothing to read"), None);
        let mut layers = Vec::new();
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
            pile.push(&layers[serial as usize - 1]).expect("a layer is written");
        }
        while let Some(layer) = pile.pop().expect("a layer is read") {
            assert_eq!(Some(layer), layers.pop());
        }
        assert_eq!(layers, []);
    }
}
