//! x
use sweepline_ml::*;
#[test]
fn smoke() {
    let t = std::time::Instant::now();
    let mut env = Environment::default();
    println!("{:?} types {} vars {}", t.elapsed(), env.program().types.len(), env.program().variables.len());
    env.declare_ml("x", "colset INT = int; colset E = with a|b|c; colset P = product INT*E timed; colset U = union u1:INT + u2; colset L = list INT with 0..3; colset R = record x:INT*y:E; var i,j:INT; fun f x = x + 1; val z = map f [1,2,3];").unwrap();
}
