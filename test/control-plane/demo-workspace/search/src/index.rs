use std::collections::HashMap;

/// For each word the documents that contain it.
#[derive(Default)]
pub struct Index {
    words: HashMap<String, usize>,
    postings: Vec<Vec<u32>>,
}

impl Index {
    pub fn add(&mut self, word: &str, document: u32) {
        let next = self.postings.len();
        let position = *self.words.entry(word.to_owned()).or_insert(next);
        self.postings[position].push(document);
    }

    pub fn find(&self, word: &str) -> &[u32] {
        self.words.get(word).map_or(&[], |&position| &self.postings[position])
    }
}
