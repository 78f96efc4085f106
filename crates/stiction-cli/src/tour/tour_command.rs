//! Commands of the tour: the reader is shown exactly what was run.
use std::path::Path;
use stiction_report::text::quote;

/// A command of this program. A word that begins with `@/` is a file in the folder of the tour.
#[derive(Clone, Debug)]
pub struct TourCommand(Vec<String>);

impl TourCommand {
    /// The words after `stiction`.
    pub fn new(text: &str) -> Self {
        Self(text.split_whitespace().map(str::to_owned).collect())
    }
    /// The same with more words.
    pub fn with(mut self, words: impl IntoIterator<Item = String>) -> Self {
        self.0.extend(words);
        self
    }
    /// The command as typed by somebody for whom the tour is in `dir`.
    pub fn shown(&self, dir: &Path) -> String {
        let words = self.words(dir);
        let words = words.iter().map(|word| quote(word));
        ["stiction".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
    }
    /// Its words, with the files of the tour in `dir`.
    pub fn words(&self, dir: &Path) -> Vec<String> {
        let word = |word: &String| match word.strip_prefix("@/") {
            Some(file) => dir.join(file).to_string_lossy().into_owned(),
            None => word.clone(),
        };
        self.0.iter().map(word).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::TourCommand;
    use std::path::Path;

    #[test]
    fn files_are_where_the_tour_is_and_odd_names_are_quoted() {
        let line =
            TourCommand::new("identify @/a.csv --load pressure-7").with(["--set".to_owned(), "k0=1e6".to_owned()]);
        assert_eq!(line.shown(Path::new("t")), "stiction identify t/a.csv --load pressure-7 --set k0=1e6");
        assert_eq!(line.words(Path::new("my tour"))[1], "my tour/a.csv");
        assert!(line.shown(Path::new("my tour")).contains("'my tour/a.csv'"));
    }
}
