import { signal } from "@preact/signals";
import { showStatus } from "./status.ts";
import { texts } from "../texts.ts";

/* The navigation, the title and the app's badge show how many open events are in the reader's inbox. */

type ShownEvent = { id: string; title: string; priority: keyof typeof texts.priority };

/** The number of open events in the reader's inbox; undefined until it is loaded. */
export const waiting = signal<number | undefined>(undefined);

let known: { workspaceId: string; ids: ReadonlySet<string> } | undefined;

/** Shows how many open events are in the inbox, and announces new events with the title of the most urgent event. */
export const setOpenCount = (
  workspaceId: string,
  { open, total }: { open: readonly ShownEvent[]; total: number },
): void => {
  const before = known?.workspaceId === workspaceId ? known.ids : undefined;
  known = { workspaceId, ids: new Set(open.map(({ id }) => id)) };
  waiting.value = total;
  // In a browser that does not support badges, only the title shows the number.
  if ("setAppBadge" in navigator) void navigator.setAppBadge(total).catch(() => undefined);
  const fresh = before === undefined ? [] : open.filter(({ id }) => !before.has(id));
  const [first] = fresh;
  if (first !== undefined) showStatus(texts.inbox.isNew(texts.priority[first.priority], first.title, fresh.length - 1));
};
