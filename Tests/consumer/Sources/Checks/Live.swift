import Foundation
import Roster

/// Lists as an app has them, on the main actor.
@MainActor
func checkLive(_ store: Store) async throws {
  let list = LiveList(Query<Note>().sorted(by: SortDescriptor(\.text, comparator: .lexical)), in: store)
  var changes = list.changes.makeAsyncIterator()
  let loaded = await changes.next()
  try check(loaded?.insertions.count == 2 && list.count == 2, "the list is loaded")
  let note = Note(id: UUID(), text: "a third one")
  try await store.write { tx in try tx.insert(note) }
  let batch = await changes.next()
  try check(batch?.insertions.map(\.record) == [note] && list[id: note.id] == note, "the list follows a write")
  list[id: note.id]?.text = "written through"
  try check(list[id: note.id]?.text == "written through", "the list writes through")
  list.remove(atOffsets: IndexSet(list.indices.filter { list[$0].id == note.id }))
  try check(list.writeError == nil && list.count == 2, "the list deletes")

  let sections = SectionedLiveList(Query<Note>(), sections: .by(\.text), in: store)
  var sectionChanges = sections.changes.makeAsyncIterator()
  let first = await sectionChanges.next()
  try check(first?.insertedSections.count == 2 && sections.allSatisfy { $0.count == 1 }, "sections are loaded")
}
