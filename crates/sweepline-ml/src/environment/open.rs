//! Variables that get their values from outside at each evaluation.

use crate::core::{Bind, Expr, ExprKind, Lambda, VarId, Variable};
use crate::elaborate::Role;
use crate::elaborate::scope::Value;
use crate::prim::Prim;
use crate::problem::MlErrors;
use crate::types::{Scheme, TypeId, Types};

use super::Environment;
use super::inscribe::Scope;

impl Environment {
    /// Removes the variables that `var` declared. Used where no transition binds them.
    pub fn forget_variables(&mut self) {
        self.state.cpn_variables.clear();
    }

    /// Whether a name is declared.
    pub fn means_something(&self, name: &str) -> bool {
        self.state.scope.values.get(name).is_some() || self.state.cpn_variables.contains_key(name)
    }

    /// Declares a variable that gets a value at each evaluation.
    pub fn declare_open(&mut self, name: &str, ty: TypeId) -> VarId {
        let var = self.new_variable(name, ty);
        self.state.roles.insert(var, Role::Cpn);
        self.state.cpn_variables.insert(name.into(), var);
        var
    }

    /// Declares a function that extracts a part of a state from its bytes. The [`Host`](crate::Host) knows the
    /// part by its number.
    pub fn declare_part(&mut self, name: &str, part: u32, ty: TypeId) {
        let span = self.whole(name, name);
        let param = self.new_variable("state", Types::STRING);
        let state = Expr { kind: ExprKind::Var(param, Vec::new()), ty: Types::STRING, span };
        let kind = ExprKind::Prim { op: Prim::Part(part), types: Vec::new(), args: vec![state] };
        let lambda = Lambda { param, param_ty: Types::STRING, body: Expr { kind, ty, span } };
        let arrow = self.state.program.types.arrow(Types::STRING, ty);
        let value = Expr { kind: ExprKind::Lambda(Box::new(lambda)), ty: arrow, span };
        let var = self.new_variable(name, arrow);
        self.state.program.binds.push(Bind::Value { params: Vec::new(), var, value });
        self.state.scope.values.push(name.into(), Value::Variable(var));
    }

    fn new_variable(&mut self, name: &str, ty: TypeId) -> VarId {
        let variables = &mut self.state.program.variables;
        variables.push(Variable { name: name.into(), scheme: Scheme::mono(ty) });
        VarId(u32::try_from(variables.len() - 1).expect("fewer than 2^32 variables"))
    }

    /// An expression over declarations and open variables, of the given type or of any type.
    ///
    /// # Errors
    ///
    /// All mistakes in it.
    pub fn query(
        &mut self,
        name: &str,
        text: &str,
        expected: Option<TypeId>,
    ) -> Result<Expr, MlErrors> {
        self.fixed(name, text, expected, Scope::Net)
    }
}
