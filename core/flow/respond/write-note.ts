import type { Deps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { NOTES_MAX } from "../../domain/basics/limits.ts";
import { notFoundRefusal, Refusal } from "../../domain/basics/refusal.ts";
import { toNoteView, type Note, type NoteView } from "../../domain/event/actions.ts";
import { listNotes, putNote } from "../../store/events/notes.ts";
import { readShownEvent } from "../read/shown-event.ts";

/** Adds a note to an event, which may be over. Notifies nobody. Throws `not_found`, and `limit_reached` after `NOTES_MAX`. */
export const writeNote = async (
  deps: Pick<Deps, "table" | "now" | "newId" | "log">,
  ws: WorkspaceId,
  eventId: string,
  actor: { id: string; name: string },
  text: string,
): Promise<NoteView> => {
  const event = await readShownEvent(deps, ws, eventId);
  if (event === undefined) throw notFoundRefusal("event");
  const note: Note = { id: deps.newId("note"), at: deps.now(), by: actor, text };
  const written = await listNotes(deps, ws, eventId);
  for (let number = written.length; number < NOTES_MAX; number += 1)
    if (await putNote(deps, ws, event, number, note)) {
      deps.log.info("event.note_added", { workspaceId: ws, eventId });
      return toNoteView(note);
    }
  throw new Refusal("limit_reached", `An event can have at most ${NOTES_MAX} notes.`);
};
