//! What the library of scripts asks, by name: the texts in CPN ML say `_prim "ask home"`.

macro_rules! questions {
    ($($question:ident = $name:literal,)*) => {
        /// A question of the library of scripts.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Ask {
            $($question,)*
        }

        /// All of them, by number, with their names.
        const ALL: &[(Ask, &str)] = &[$((Ask::$question, $name),)*];
    };
}

questions! {
    Sweep = "sweep",
    Keep = "keep",
    Figures = "figures",
    Kept = "kept",
    Describe = "describe",
    Start = "start",
    Draw = "draw",
    Home = "home",
    Instances = "instances",
    Terminates = "terminates",
    Nodes = "nodes",
    Arcs = "arcs",
    NodeState = "node_state",
    OutArcs = "out_arcs",
    InArcs = "in_arcs",
    Source = "source",
    Target = "target",
    Element = "element",
    Transition = "transition",
    Path = "path",
    ComponentOf = "component_of",
    Components = "components",
    Members = "members",
    Reachable = "reachable",
    Fairness = "fairness",
    UntimedNode = "untimed_node",
    InstanceText = "instance_text",
    ArcText = "arc_text",
    MarkText = "mark_text",
    PlaceText = "place_text",
    FoldRange = "fold_range",
    FoldList = "fold_list",
    ElementText = "element_text",
    Structure = "structure",
    Linear = "linear",
    UntimedState = "untimed_state",
    Askctl = "askctl",
    Subgraph = "subgraph",
    Bounds = "bounds",
    ModelFile = "model_file",
    Now = "now",
}

impl Ask {
    /// The question of a number.
    pub(super) fn of(number: u32) -> Option<Ask> {
        ALL.get(number as usize).map(|(question, _)| *question)
    }
}

/// A text of the library with the numbers of questions in place of their names.
///
/// # Panics
///
/// When it names a question that there is not.
pub(super) fn numbered(text: &str) -> String {
    let mut parts = text.split("_prim \"ask ");
    let mut numbered = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('"').expect("the name of a question ends");
        let number = ALL.iter().position(|(_, known)| *known == name);
        let number = number.unwrap_or_else(|| panic!("no question is called `{name}`"));
        numbered.push_str(&format!("_prim \"ask {number}\"{rest}"));
    }
    numbered
}
