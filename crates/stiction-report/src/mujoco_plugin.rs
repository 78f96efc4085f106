//! A plugin of MuJoCo: what it is called and what it takes.
use crate::Report;
use crate::text::digits;
use serde_json::{Value, json};
use stiction::export::mujoco_plugin::MujocoPlugin;

/// A law as a plugin.
pub struct PluginReport {
    /// The plugin.
    pub plugin: MujocoPlugin,
}

impl Report for PluginReport {
    fn text(&self) -> String {
        let plugin = &self.plugin;
        let row = |name: &str, value: &str| format!("{name:<11} {value}\n");
        let own = ["joint", "load"].map(str::to_owned).into_iter();
        let keys = own.chain(plugin.keys()).collect::<Vec<_>>().join(", ");
        let kind = if plugin.holds() {
            let [forwards, backwards] = [plugin.limit(), plugin.limit_backwards()].map(digits);
            let limit =
                if forwards == backwards { forwards } else { format!("{forwards} forwards and {backwards} backwards") };
            format!("constraint of dry friction, up to {limit} at rest; the joint needs frictionloss > 0")
        } else {
            "passive force".to_owned()
        };
        let mut out = row("plugin", &format!("{}, for MuJoCo 4.0", plugin.name()));
        out += &row("friction", &kind);
        out += &row("config", &keys);
        out + &row("files", &format!("{}.c, example.xml, check.py", plugin.file_name()))
    }
    fn json(&self) -> Value {
        let (plugin, code) = (&self.plugin, self.plugin.code());
        let params = plugin.keys().into_iter().zip(code.params());
        let params = params.map(|(key, p)| json!({ "name": key, "unit": p.unit, "default": p.default }));
        json!({
            "law": code.law.name,
            "plugin": plugin.name(),
            "holds": plugin.holds(),
            "limit": plugin.limit(),
            "limit_backwards": plugin.limit_backwards(),
            "params": params.collect::<Vec<_>>(),
            "source": format!("{}.c", plugin.file_name()),
        })
    }
}
