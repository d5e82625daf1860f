import type { TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { TITLE_MAX_CODE_POINTS } from "../../domain/basics/limits.ts";
import { shortenText } from "../../domain/basics/text.ts";
import { toResolvedTitle, type EventContent } from "../../domain/event/event.ts";
import { readEvent } from "../../store/events/events.ts";

/** Returns the resolving event `end` with the title of event `endedId`, if stored, also as a body that only repeats a title. */
export const copyTitleOfEndedEvent = async (
  deps: TableDeps,
  ws: WorkspaceId,
  end: EventContent,
  endedId: string | undefined,
): Promise<EventContent> => {
  const ended = endedId === undefined ? undefined : await readEvent(deps, ws, endedId);
  if (ended === undefined) return end;
  const title = shortenText(toResolvedTitle(ended.content.title), TITLE_MAX_CODE_POINTS);
  return { ...end, title, body: toResolvedTitle(end.body) === end.title ? title : end.body };
};
