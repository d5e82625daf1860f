import { expect, test } from "vitest";
import { writeNote } from "../../../../core/flow/respond/write-note.ts";
import { readEventView } from "../../../../core/flow/read/read-event.ts";
import { putNote } from "../../../../core/store/events/notes.ts";
import { useWorld } from "../../../world/use-world.ts";

const ann = { id: "usr_ann", name: "Ann" };
const bob = { id: "usr_bob", name: "Bob" };

const setUp = async () => {
  const world = await useWorld();
  const { eventId } = await world.post();
  const notesOf = async () => (await readEventView(world.deps, world.ws, eventId))?.notes.map(({ text }) => text);
  return { world, eventId, notesOf };
};

test("notes that are written to an event at the same moment are all stored", async () => {
  const { world, eventId, notesOf } = await setUp();

  const texts = ["a", "b", "c", "d", "e"];
  await Promise.all(texts.map((text) => writeNote(world.deps, world.ws, eventId, ann, text)));

  expect((await notesOf())?.toSorted()).toEqual(texts);
});

test("a note whose write is repeated is stored once", async () => {
  const { world, eventId, notesOf } = await setUp();
  const note = { id: "note_1", at: world.start, by: ann, text: "On its way" };

  const tries = [
    await putNote(world.deps, world.ws, { eventId }, 0, note),
    await putNote(world.deps, world.ws, { eventId }, 0, note),
    await putNote(world.deps, world.ws, { eventId }, 0, { ...note, id: "note_2", by: bob }),
  ];

  expect(tries).toEqual([true, true, false]);
  expect(await notesOf()).toEqual(["On its way"]);
});

test("an event can have a hundred notes, and the next one is refused", async () => {
  const { world, eventId } = await setUp();
  for (let index = 0; index < 99; index += 1)
    await putNote(world.deps, world.ws, { eventId }, index, { id: `note_${index}`, at: 0, by: bob, text: "x" });

  await writeNote(world.deps, world.ws, eventId, ann, "The last");

  await expect(writeNote(world.deps, world.ws, eventId, ann, "Too many")).rejects.toMatchObject({
    kind: "limit_reached",
    message: "An event can have at most 100 notes.",
  });
});

test("the notes of an event that was lost in a table restore do not appear on another event that got its number", async () => {
  const { world, eventId } = await setUp();
  const later = `${eventId.slice(0, -2)}zz`;
  await putNote(world.deps, world.ws, { eventId: later }, 0, { id: "note_1", at: 0, by: bob, text: "Of another" });

  expect(await readEventView(world.deps, world.ws, eventId)).toMatchObject({ notes: [] });
  await expect(writeNote(world.deps, world.ws, later, ann, "Lost")).rejects.toMatchObject({ kind: "not_found" });
});
