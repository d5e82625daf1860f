import * as v from "valibot";
import { ID_PREFIXES, isId, type IdPrefix } from "../../core/domain/basics/ids.ts";
import { EventKey } from "../../core/domain/basics/event-key.ts";
import { notFound } from "../../core/domain/basics/refusal.ts";
import type { Step } from "./endpoint.ts";

const nouns: Partial<Record<IdPrefix, string>> = {
  ws: "workspace",
  key: "API key",
  evt: "event",
  ntf: "notification",
  rule: "routing rule",
  grp: "group",
  dev: "device",
  pol: "escalation policy",
  ovr: "override",
  sil: "silence",
  hb: "heartbeat",
  wh: "webhook",
  con: "connection",
  usr: "member",
  inv: "invitation",
};

/** What a path or a body names: a kind of id, or a noun without an id. */
export type Named = IdPrefix | "event type";

/** The noun of a kind of id, as error texts name it. */
export const nounOf = (named: Named): string => (named === "event type" ? named : (nouns[named] ?? "resource"));

/** What an id is of, where it is of another kind than the path wants. */
const otherKind = (text: string): string => {
  const found = ID_PREFIXES.map((prefix) => (isId(prefix, text) ? nouns[prefix] : undefined)).find(Boolean);
  return found === undefined ? "" : ` The id in the path is of another kind: ${found}.`;
};

/** Takes an id from the path by its name there. A text that is no id finds nothing, and the table is not asked. */
export const pathId = <Name extends string>(prefix: IdPrefix, name: Name): Step<Record<Name, string>> => ({
  before: ({ event }) => {
    const id = event.path.get(name) ?? "";
    if (!isId(prefix, id)) throw notFound(nounOf(prefix), otherKind(id));
    Object.assign(event, { [name]: id });
  },
});

/** Takes the event key from the path. Answers 404 if it cannot be one. */
export const pathEventKey = (): Step<{ eventKey: string }> => ({
  before: ({ event }) => {
    const result = v.safeParse(EventKey, event.path.get("eventKey"));
    if (!result.success) throw notFound("event type");
    event.eventKey = result.output;
  },
});
