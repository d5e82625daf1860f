import type { TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { Note } from "../../domain/event/actions.ts";
import type { AcceptedEvent } from "../../domain/event/event.ts";
import { noteKey, notesPk, notesPrefix } from "../keys.ts";
import { putItemIf, queryItems } from "../table.ts";

export const listNotes = (deps: TableDeps, ws: WorkspaceId, eventId: string): Promise<Note[]> =>
  queryItems(deps, { pk: notesPk(ws), prefix: notesPrefix(eventId) }, Note);

/** Writes a note at an index of its event, from 0. Returns false if another note already has the index. */
export const putNote = async (
  deps: TableDeps,
  ws: WorkspaceId,
  { eventId, keptUntil: ttl }: Pick<AcceptedEvent, "eventId" | "keptUntil">,
  index: number,
  note: Note,
): Promise<boolean> => {
  const { kind, item } = await putItemIf(deps, noteKey(ws, eventId, index), { ...note, ttl }, Note);
  // If an answer is lost, the SDK repeats the write, and the repeated write finds the note of the first attempt.
  return kind === "done" || item?.id === note.id;
};
