//! The end of the lab: by Ctrl-C, and by force.
use crate::client::Lab;
use crate::common::Folder;
use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

#[test]
fn the_end_comes_within_a_second_and_leaves_nothing() {
    // a closed terminal, unless the tests themselves are to outlive theirs
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let hangup = ignored.is_some_and(|mask| mask & 1 == 0).then_some("-HUP");
    for signal in ["-TERM", "-INT"].into_iter().chain(hangup) {
        let mut lab = Lab::start(&format!("end{signal}"), &[]);
        lab.post("api/files/log.csv", b"1,2\n");
        lab.long_job();
        let children = lab.children();
        // a connection that stays open does not keep it
        let _open = std::net::TcpStream::connect(&lab.host).unwrap();
        assert_eq!(lab.folders().len(), 1);
        let begin = Instant::now();
        lab.signal(signal);
        let status = lab.child.wait().unwrap();
        assert!(begin.elapsed() < Duration::from_secs(1), "{:?}", begin.elapsed());
        assert!(status.success(), "{status}");
        assert_eq!(lab.folders().len(), 0);
        assert!(children.iter().all(|id| !fs::exists(format!("/proc/{id}")).unwrap()), "{children:?}");
    }
}

/// A lab that is killed cannot clean up: its job ends with it, and the next lab removes its folder.
#[test]
#[cfg(target_os = "linux")]
fn the_job_of_a_killed_lab_ends_and_its_folder_is_removed_later() {
    let mut lab = Lab::start("killed", &[]);
    lab.long_job();
    let begin = Instant::now();
    let children = lab.children();
    assert_eq!(children.len(), 1);
    // the job asks for its end at its start
    sleep(Duration::from_millis(500));
    lab.signal("-KILL");
    lab.child.wait().unwrap();
    let ended = |id: &String| fs::read_to_string(format!("/proc/{id}/stat")).map_or(true, |stat| stat.contains(") Z "));
    while !children.iter().all(ended) {
        assert!(begin.elapsed() < Duration::from_secs(5), "{children:?} go on");
        sleep(Duration::from_millis(10));
    }
    let left = lab.folder();
    let temporary = Folder(lab.temporary.0.clone());
    let next = Lab::start_in(temporary, &[]);
    assert!(!left.exists() && next.folders().len() == 1, "{:?}", next.folders());
}
