//! A file with one place and one transition, with exchangeable parts.

/// The parts of the file. Empty parts are omitted.
#[derive(Clone, Default)]
pub(crate) struct File {
    pub(crate) colours: String,
    pub(crate) variables: String,
    pub(crate) ml: String,
    pub(crate) set: String,
    pub(crate) initial: String,
    pub(crate) guard: String,
    pub(crate) delay: String,
    pub(crate) code: String,
    pub(crate) input: String,
    pub(crate) output: String,
    /// Further elements of the page.
    pub(crate) page: String,
    /// Further elements of the net.
    pub(crate) net: String,
}

/// A counter: `x` is removed and put back.
pub(crate) fn plain() -> File {
    File {
        set: "I".into(),
        initial: "1`1".into(),
        input: "x".into(),
        output: "x".into(),
        ..File::default()
    }
}

/// The plain file with declarations and the initial marking `z`.
pub(crate) fn declares(ml: &str) -> String {
    File { ml: ml.into(), initial: "z".into(), ..plain() }.xml()
}

/// The plain file with another colour set `C`, a variable `c` of it, and an initial marking.
pub(crate) fn coloured(kind: &str, initial: &str) -> String {
    File {
        colours: format!("<color id='c'><id>C</id>{kind}</color>"),
        variables: "<var id='vc'><type><id>C</id></type><id>c</id></var>".into(),
        set: "C".into(),
        initial: initial.into(),
        input: "c".into(),
        output: "c".into(),
        ..File::default()
    }
    .xml()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn text(element: &str, content: &str) -> String {
    match content.is_empty() {
        true => String::new(),
        false => format!("<{element}><text>{}</text></{element}>", escaped(content)),
    }
}

pub(crate) fn arc(id: &str, direction: &str, ends: (&str, &str), annotation: &str) -> String {
    let (trans, place) = ends;
    format!(
        "<arc id='{id}' orientation='{direction}'><transend idref='{trans}'/>\
         <placeend idref='{place}'/>{}</arc>",
        text("annot", annotation)
    )
}

impl File {
    pub(crate) fn xml(&self) -> String {
        let File { colours, variables, page, net, .. } = self;
        let ml = escaped(&self.ml);
        let place = format!(
            "<place id='p'><text>A</text>{}{}</place>",
            text("type", &self.set),
            text("initmark", &self.initial)
        );
        let regions =
            text("cond", &self.guard) + &text("time", &self.delay) + &text("code", &self.code);
        let arcs =
            arc("a", "PtoT", ("t", "p"), &self.input) + &arc("b", "TtoP", ("t", "p"), &self.output);
        format!(
            "<workspaceElements><cpnet><globbox>
               <color id='i'><id>I</id><int/></color>
               <color id='ti'><id>TI</id><timed/><int/></color>{colours}
               <ml id='m'>{ml}</ml>
               <var id='v'><type><id>I</id></type><id>x</id><id>y</id></var>{variables}
             </globbox>
             <page id='top'><pageattr name='Top'/>{place}
               <trans id='t'><text>T</text>{regions}</trans>{arcs}{page}</page>{net}
             </cpnet></workspaceElements>"
        )
    }
}
