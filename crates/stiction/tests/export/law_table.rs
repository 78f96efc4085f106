//! The table of the book: every law in every language, and how it was checked.
use stiction::core::models;
use stiction::export::law::LawTarget;

#[test]
fn the_book_tells_how_every_law_was_checked_in_every_language() {
    let page = include_str!("../../../../docs/law-code.md");
    let names: Vec<&str> = LawTarget::ALL.iter().map(|target| target.name()).collect();
    assert!(page.contains(&format!("| law | {} |\n", names.join(" | "))), "the head of the table");
    for law in models::ALL {
        let cells: Vec<&str> = LawTarget::ALL.iter().map(|target| target.checked(law).unwrap_or("–")).collect();
        let row = format!("| `{}` | {} |\n", law.name, cells.join(" | "));
        assert!(page.contains(&row), "docs/law-code.md should have the row\n{row}");
    }
    for name in names {
        assert!(page.contains(&format!("| `{name}` | ")), "{name} is not explained");
    }
}
