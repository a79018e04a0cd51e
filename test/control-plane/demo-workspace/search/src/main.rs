mod index;

use index::Index;

fn main() {
    let mut index = Index::default();
    for (document, title) in ["red coat", "blue coat"].iter().enumerate() {
        for word in title.split(' ') {
            index.add(word, document as u32);
        }
    }
    println!("{:?}", index.find("coat"));
}
