import type { Deps } from "../../core/deps.ts";
import { NoteInput } from "../../core/domain/event/deeds.ts";
import { writeNote } from "../../core/flow/life/write-note.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { body } from "../http/body.ts";
import { created, endpoint } from "../http/endpoint.ts";
import { pathId } from "../http/path.ts";

export const noteEvent = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("evt", "eventId"))
    .use(body(NoteInput))
    .handler(async ({ workspaceId, eventId, caller: { userId, name }, body: { text } }) =>
      created(await writeNote(deps, workspaceId, eventId, { id: userId, name }, text)),
    );

export const handler = noteEvent(liveDeps());
