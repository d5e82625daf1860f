import { isId, type IdPrefix } from "../../core/domain/ids.ts";
import { notFound } from "../../core/domain/refusal.ts";
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
  usr: "member",
};

/** The noun of a kind of id, as error texts name it. */
export const nounOf = (prefix: IdPrefix): string => nouns[prefix] ?? "resource";

/** An id of the path. What has not the shape of one is not found, without asking the table. */
export const pathId = (prefix: IdPrefix, request: HttpRequest, name: string): string => {
  const id = request.path.get(name) ?? "";
  if (!isId(prefix, id)) throw notFound(nounOf(prefix));
  return id;
};
