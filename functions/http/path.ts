import * as v from "valibot";
import { isId, type IdPrefix } from "../../core/domain/basics/ids.ts";
import { EventKey } from "../../core/domain/rules/matching/index.ts";
import { notFound } from "../../core/domain/basics/refusal.ts";
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
  usr: "member",
};

/** What a path or a body names: a kind of id, or a noun of its own. */
export type Named = IdPrefix | "event type";

/** The noun of a kind of id, as error texts name it. */
export const nounOf = (named: Named): string => (named === "event type" ? named : (nouns[named] ?? "resource"));

/** An id of the path. What has not the shape of one is not found, without asking the table. */
export const pathId = (prefix: IdPrefix, request: HttpRequest, name: string): string => {
  const id = request.path.get(name) ?? "";
  if (!isId(prefix, id)) throw notFound(nounOf(prefix));
  return id;
};

/** The event key of the path, or 404 for what cannot be one. */
export const pathEventKey = (request: HttpRequest): string => {
  const result = v.safeParse(EventKey, request.path.get("eventKey"));
  if (!result.success) throw notFound("event type");
  return result.output;
};
