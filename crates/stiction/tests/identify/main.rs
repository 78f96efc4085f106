//! Identification of parameters from measured and simulated records.
mod breakaway;
mod channels;
mod damaged;
mod device_fits;
#[path = "../../../../tests/common/device_in_c.rs"]
mod device_in_c;
mod dynamic;
mod emps;
mod excitation;
#[path = "../../../../tests/common/folder.rs"]
mod folder;
#[path = "../../../../tests/common/law.rs"]
mod law;
mod logs;
mod odd;
mod plane;
mod plant;
mod plant_law;
mod plant_options;
mod presliding;
#[path = "../../../../tests/common/published.rs"]
mod published;
mod rate_state;
mod resume;
mod rig;
mod servo;
#[path = "../../../../tests/common/skip.rs"]
mod skip;
mod sliding;
mod swings;
mod terms;

use law::law;
use stiction::Spec;
