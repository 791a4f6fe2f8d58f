//! Tests of the store of jobs.

use super::*;
use crate::task::Operation;

fn pages(count: usize) -> Vec<TaskPage> {
    (0..count).map(|number| TaskPage { name: format!("page {number}"), ..TaskPage::default() }).collect()
}

#[test]
fn pages_of_another_version_fail_and_the_others_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let store = JobStore::open(&folder.path().join("jobs.sqlite")).unwrap();
    let old = store.add(&Task::new(Operation::Extract), &pages(3), &[]).unwrap();
    let new = store.add(&Task::new(Operation::Extract), &pages(2), &[]).unwrap();
    let task = r#"{"operation": "extract", "an option that is gone": 1}"#;
    store.connection().execute("UPDATE jobs SET task = ?1 WHERE id = ?2", params![task, old]).unwrap();
    let mut waiting = Vec::new();
    for _ in 0..5 {
        let taken = waiting.iter().cloned().collect();
        waiting.extend(store.pending(1, &taken).unwrap().into_iter().map(|(key, ..)| key));
    }
    assert_eq!(waiting, [(new.clone(), 1), (new, 2)]);
    let status = store.status(&old).unwrap().unwrap();
    assert_eq!((status.state, status.failed), (JobState::Done, 3));
    assert!(status.errors[0].error.contains("another version of copal"), "{:?}", status.errors);
}

#[test]
fn files_without_a_version_are_read_and_newer_ones_refused_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jobs.sqlite");
    let store = JobStore::open(&file).unwrap();
    let id = store.add(&Task::new(Operation::Extract), &pages(1), &[]).unwrap();
    store.connection().pragma_update(None, "user_version", 0).unwrap();
    drop(store);
    let store = JobStore::open(&file).unwrap();
    assert_eq!(store.status(&id).unwrap().unwrap().pages, 1);
    store.connection().pragma_update(None, "user_version", LAYOUT_VERSION + 1).unwrap();
    drop(store);
    let before = std::fs::read(&file).unwrap();
    let error = JobStore::open(&file).unwrap_err().to_string();
    assert!(error.contains("layout 2, expected 1: update copal"), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[test]
fn a_page_has_one_result_and_a_job_ends_with_its_last_page() {
    let folder = tempfile::tempdir().unwrap();
    let store = JobStore::open(&folder.path().join("jobs.sqlite")).unwrap();
    let id = store.add(&Task::new(Operation::Extract), &pages(3), &[]).unwrap();
    let key = |number: i64| (id.clone(), number);
    let waiting = store.pending(2, &HashSet::from([key(1)])).unwrap();
    assert_eq!(waiting.iter().map(|(key, ..)| key.1).collect::<Vec<_>>(), [2, 3]);
    store.finish_page(&key(1), 5, b"one\n").unwrap();
    store.finish_page(&key(1), 9, b"again\n").unwrap();
    store.fail_page(&key(2), "not found").unwrap();
    assert_eq!(store.status(&id).unwrap().unwrap().state, JobState::Running);
    store.finish_page(&key(3), 1, b"three\n").unwrap();
    let status = store.status(&id).unwrap().unwrap();
    assert_eq!((status.state, status.done, status.failed, status.records), (JobState::Done, 2, 1, 6));
    assert_eq!(store.next_result(&id, 0).unwrap(), Some((1, b"one\n".to_vec())));
    assert_eq!(store.next_result(&id, 1).unwrap(), Some((3, b"three\n".to_vec())));
    assert_eq!(store.next_result(&id, 3).unwrap(), None);
    assert!(!store.cancel(&id).unwrap());
    assert_eq!(store.remove_old(Duration::from_secs(100)).unwrap(), 0);
}

#[test]
fn a_cancelled_job_has_no_pending_pages() {
    let folder = tempfile::tempdir().unwrap();
    let store = JobStore::open(&folder.path().join("jobs.sqlite")).unwrap();
    let id = store.add(&Task::new(Operation::Extract), &pages(2), &[]).unwrap();
    assert!(store.cancel(&id).unwrap());
    assert!(store.pending(5, &HashSet::new()).unwrap().is_empty());
    assert!(store.active_jobs().unwrap().is_empty());
}
