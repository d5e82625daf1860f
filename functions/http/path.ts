import * as v from "valibot";
import { ID_PREFIXES, isId, type IdPrefix } from "../../core/domain/basics/ids.ts";
import { EventKey } from "../../core/domain/basics/event-key.ts";
import { notFoundRefusal } from "../../core/domain/basics/refusal.ts";
import { listPathParameters } from "../../interface/contract.ts";
import type { Middleware } from "./endpoint.ts";
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
  cov: "cover",
  sil: "silence",
  hb: "heartbeat",
  wh: "webhook",
  con: "connection",
  usr: "member",
  mch: "member",
  inv: "invitation",
};

/** The kind of thing that a path or body refers to: the prefix of its id, or a noun. */
export type ResourceKind = IdPrefix | "event type" | "switch";

export const chooseNoun = (kind: ResourceKind): string =>
  kind === "event type" || kind === "switch" ? kind : (nouns[kind] ?? "resource");

/** Returns a sentence with the kind of the id, to append to a message; "" if the text is not an id. */
const explainIdOfWrongKind = (id: string): string => {
  const found = ID_PREFIXES.map((prefix) => (isId(prefix, id) ? nouns[prefix] : undefined)).find(Boolean);
  return found === undefined ? "" : ` The id in the path has the wrong kind: ${found}.`;
};

/** Reads an id in the path. Throws 404 for a text that is not an id, without reading the table. */
const readPathId = ({ path }: HttpRequest, prefix: IdPrefix, name: string): string => {
  const id = path.get(name) ?? "";
  if (!isId(prefix, id)) throw notFoundRefusal(chooseNoun(prefix), explainIdOfWrongKind(id));
  return id;
};

const kinds = {
  connectionId: "con",
  coverId: "cov",
  deviceId: "dev",
  eventId: "evt",
  groupId: "grp",
  heartbeatId: "hb",
  id: "key",
  invitationId: "inv",
  notificationId: "ntf",
  overrideId: "ovr",
  policyId: "pol",
  ruleId: "rule",
  silenceId: "sil",
  webhookId: "wh",
} as const satisfies Record<string, IdPrefix>;

const readPathEventKey = ({ path }: HttpRequest): string => {
  const result = v.safeParse(EventKey, path.get("eventKey"));
  if (!result.success) throw notFoundRefusal("event type");
  return result.output;
};

const parsePathParameter = (request: HttpRequest, name: string): string => {
  if (name === "eventKey") return readPathEventKey(request);
  // A `userId` may be the id of a machine.
  if (name === "userId") return readPathId(request, isId("mch", request.path.get(name) ?? "") ? "mch" : "usr", name);
  const [, kind] = Object.entries(kinds).find(([known]) => known === name) ?? [];
  if (kind === undefined) throw new Error(`functions/http/path.ts does not say which kind of id {${name}} is`);
  return readPathId(request, kind, name);
};

type PartOf<Name> = Name extends keyof typeof kinds ? `${(typeof kinds)[Name]}_${string}` : string;

export type PartsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends "workspaceId" ? object : Record<Name, PartOf<Name>>) & PartsOf<Rest>
  : object;

/** Returns a step that adds a path's parameters, except `workspaceId`, to the request. Throws 404 for an invalid parameter. */
export const parsePathIds = <Path extends string>(path: Path): Middleware<PartsOf<Path>> => {
  const names = listPathParameters(path).filter((name) => name !== "workspaceId");
  return {
    before: ({ event }) => {
      for (const name of names) Object.assign(event, { [name]: parsePathParameter(event, name) });
    },
  };
};
