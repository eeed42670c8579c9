//! Dependences outside the model: files, references, random numbers.

use super::{arc, load_with, model, page, place, trans, warnings};
use crate::{Net, Options};

fn using(folder: Option<&std::path::Path>, file: &str) -> Result<Net, crate::LoadErrors> {
    let rest = page("Top", &[place("A", "NO", "1`used", "")]);
    let options = Options { folder: folder.map(Into::into), ..Options::default() };
    load_with(&model(&format!("use {file};"), &rest), &options)
}

#[test]
fn files_are_read_from_the_folder_of_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("model");
    std::fs::create_dir_all(root.join("inner")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(root.join(name), text).unwrap();
    write("used.sml", "val used = 1;");
    write("inner/used.sml", "val used = 1;");
    write("outer.sml", "use \"used.sml\";");
    write("cycle.sml", "use \"cycle.sml\"; val used = 1;");
    write("wrong.sml", "val used =\n 1 + true;");
    std::fs::write(folder.path().join("outside.sml"), "val used = 1;").unwrap();
    // In a moved model, the end of the author's path is found.
    for moved in ["/home/author/model/inner/used.sml", "C:/models/used.sml", "../other/used.sml"] {
        using(Some(&root), &format!("\"{moved}\""))
            .unwrap_or_else(|errors| panic!("{moved}: {:?}", errors.errors));
    }
    let rest = page("Top", &[place("A", "NO", "1`used", "")]);
    let mut options = Options { folder: Some(root.clone()), ..Options::default() };
    let outside = model("val path = \"C:\\\\lib\\\\\"; use (path ^ \"outside.sml\");", &rest);
    assert!(load_with(&outside, &options).is_err());
    options.include = vec![root.join("inner"), folder.path().to_owned()];
    load_with(&outside, &options).unwrap_or_else(|errors| panic!("{:?}", errors.errors));
    for fine in ["\"used.sml\"", "\"./inner/used.sml\"", "(\"us\" ^ \"ed.sml\")", "\"outer.sml\""] {
        using(Some(&root), fine).unwrap_or_else(|errors| panic!("{fine}: {:?}", errors.errors));
    }
    let refused = |file: &str, reason: &str| {
        let errors = using(Some(&root), file).unwrap_err();
        let messages: Vec<String> = errors.errors.iter().map(ToString::to_string).collect();
        assert!(messages.iter().any(|message| message.contains(reason)), "{file}: {messages:?}");
    };
    refused("\"../outside.sml\"", "there is no such file");
    refused("\"/etc/hostname\"", "there is no such file");
    refused("\"missing.sml\"", "there is no such file");
    refused("(valOf (OS.Process.getEnv \"HOME\") ^ \"/x.sml\")", "`getEnv` cannot be evaluated");
    refused("\"inner\"", "it is not a regular file");
    refused("(used ^ \"\")", "`used` is not declared");
    refused("\"wrong.sml\"", "wrong.sml:2:6: file `wrong.sml`: ");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../outside.sml", root.join("link.sml")).unwrap();
        refused("\"link.sml\"", "it is a link to a file outside the folder");
    }
    let net = using(Some(&root), "\"cycle.sml\"").unwrap();
    assert!(warnings(&net)[0].contains("the file uses itself"), "{:?}", warnings(&net));
    assert!(using(None, "\"used.sml\"").is_err());
}

/// The warnings for a transition with these regions and output arc, after these declarations.
fn warned(ml: &str, regions: &[(&str, &str)], output: &str) -> Vec<String> {
    let parts = [place("A", "NO", "", ""), trans("T", regions), arc("TtoP", "T", "A", output)];
    let net = load_with(&model(ml, &page("Top", &parts)), &Options::default());
    warnings(&net.unwrap_or_else(|errors| panic!("{:?}", errors.errors)))
}

#[test]
fn what_is_not_in_a_marking_is_warned_of() {
    let reads = |subject: &str, state: &str| {
        vec![format!("{subject}: the inscription reads {state}, which is not part of the marking")]
    };
    let (guard, out) =
        ("guard of transition `T` on page `Top`", "arc from `T` to `A` on page `Top`");
    assert_eq!(warned("", &[("cond", "!counter > 1")], "1"), reads(guard, "`counter`"));
    let hidden = "val hidden = ref 1; fun next n = (hidden := n; !hidden);";
    assert_eq!(warned(hidden, &[], "next 3"), reads(out, "`hidden`"));
    assert_eq!(warned("", &[], "if step () > 3 then 1 else 2"), reads(out, "the number of steps"));
    let local = "fun sum n = let val r = ref 0 in r := n; !r end;";
    assert_eq!(warned(local, &[], "sum 3"), Vec::<String>::new());
    assert_eq!(
        warned("", &[("code", "action (counter := 1);")], "1"),
        ["code segment of transition `T` on page `Top`: \
          the code segment reads or changes `counter`, which is not part of the marking"]
    );
    let chance = warned("", &[], "discrete (1, 6)");
    assert_eq!(chance, ["arc from `T` to `A` on page `Top`: the inscription uses random numbers"]);
}
