//! Columns by name or number.
use super::Problem;
use stiction_io::near::near;

/// The place of a column among `known`: by its name, by its name in another case, or by its number, from one.
///
/// # Errors
/// [`Problem::UnknownColumn`] or [`Problem::Ambiguous`].
pub fn find(name: &str, known: &[&str]) -> Result<usize, Problem> {
    let name = name.trim();
    let all = |same: &dyn Fn(&str) -> bool| -> Vec<usize> { (0..known.len()).filter(|&k| same(known[k])).collect() };
    let folded = name.to_lowercase();
    for found in [all(&|other| other == name), all(&|other| other.to_lowercase() == folded)] {
        match found[..] {
            [] => {}
            [one] => return Ok(one),
            _ => {
                let columns = found.iter().map(|k| k + 1).collect();
                return Err(Problem::Ambiguous { name: name.to_owned(), columns });
            }
        }
    }
    if let Ok(number) = name.parse::<usize>()
        && (1..=known.len()).contains(&number)
    {
        return Ok(number - 1);
    }
    let near = near(name, known.iter().copied()).into_iter().map(str::to_owned).collect();
    let known = known.iter().map(|name| (*name).to_owned()).collect();
    Err(Problem::UnknownColumn { name: name.to_owned(), near, known })
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::log::Problem;

    #[test]
    fn by_name_case_and_number() {
        let known = ["t", "Force", "force", "2", "Qm", "Qm"];
        assert_eq!(find("Force", &known), Ok(1));
        assert_eq!(find("force", &known), Ok(2));
        assert_eq!(find(" T ", &known), Ok(0));
        assert_eq!(find("2", &known), Ok(3), "a name goes before a number");
        assert_eq!(find("1", &known), Ok(0));
        assert!(matches!(find("FORCE", &known), Err(Problem::Ambiguous { columns, .. }) if columns == [2, 3]));
        assert!(matches!(find("Qm", &known), Err(Problem::Ambiguous { columns, .. }) if columns == [5, 6]));
        assert!(matches!(find("froce", &known), Err(Problem::UnknownColumn { near, .. }) if near[0] == "Force"));
        for bad in ["0", "7", "-1", ""] {
            assert!(matches!(find(bad, &known), Err(Problem::UnknownColumn { .. })), "{bad}");
        }
    }
}
