import * as v from "valibot";
import { ID_PREFIXES, isId, type IdPrefix } from "../../core/domain/basics/ids.ts";
import { EventKey } from "../../core/domain/basics/event-key.ts";
import { notFound } from "../../core/domain/basics/refusal.ts";
import type { Step } from "./endpoint.ts";
import type { HttpRequest } from "./request.ts";

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
  mch: "member",
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

/** The id in the path under this name. A text that is no id finds nothing, and the table is not asked. */
const idIn = ({ path }: HttpRequest, prefix: IdPrefix, name: string): string => {
  const id = path.get(name) ?? "";
  if (!isId(prefix, id)) throw notFound(nounOf(prefix), otherKind(id));
  return id;
};

/** Takes an id from the path by its name there. */
export const pathId = <Name extends string>(prefix: IdPrefix, name: Name): Step<Record<Name, string>> => ({
  before: ({ event }) => {
    Object.assign(event, { [name]: idIn(event, prefix, name) });
  },
});

/** Takes the id of a member from the path, who may be a machine. */
export const pathMemberId = (): Step<{ userId: string }> => ({
  before: ({ event }) => {
    event.userId = idIn(event, isId("mch", event.path.get("userId") ?? "") ? "mch" : "usr", "userId");
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
