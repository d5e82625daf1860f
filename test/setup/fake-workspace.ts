import { runOn } from "./running.ts";

/* A workspace in memory, with the part of the API that the setup file uses. */

type Thing = { id: string; version: number } & Record<string, unknown>;
export type Request = { method: string; path: string; body: Record<string, unknown>; ifMatch: string | null };

const WEEK = "2026-01-01T00:00:00.000Z";
const LISTS: Readonly<Record<string, string>> = {
  groups: "grp",
  "escalation-policies": "pol",
  "routing-rules": "rule",
  silences: "sil",
  "api-keys": "key",
  webhooks: "wh",
  connections: "con",
  invitations: "inv",
};
const LINE = { status: "active", failingSince: null, nextTryAt: null, lastFailure: null };

const createAnswer = (status: number, body?: unknown, headers: Record<string, string> = {}) =>
  new Response(body === undefined ? null : JSON.stringify(body), { status, headers });

/** The id of a person is `usr_` and the name before the @ of the address. */
export const aWorkspace = (...emails: string[]) => {
  const lists = new Map(Object.keys(LISTS).map((name) => [name, new Map<string, Thing>()]));
  const members = new Map<string, Set<string>>();
  const schedules = new Map<string, Thing>();
  const roles = new Map<string, string>();
  const events: Record<string, unknown>[] = [];
  let own: Thing = { id: "ws_1", version: 1, name: "Acme" };
  const writes: string[] = [];
  const requests: Request[] = [];
  let count = 0;

  const nameOf = (id: string): string => {
    for (const list of lists.values()) {
      const name = list.get(id)?.["name"];
      if (typeof name === "string") return name;
    }
    return id.replace("usr_", "");
  };
  /** Records a write with names in place of ids: `POST Leads/members`. */
  const recordWrite = ({ method, path, body }: Request): void => {
    const named = path.replaceAll(/[a-z]+_\d+|usr_\w+/g, nameOf).replace(/^\//, "");
    const { name, userId } = body as { name?: string; userId?: string };
    const about = method === "POST" ? ` ${name ?? nameOf(userId ?? "")}` : "";
    writes.push(`${method} ${named}${about}`);
  };
  const isOutdated = ({ ifMatch }: Request, thing: Thing): boolean =>
    ifMatch !== null && ifMatch !== `"${thing.version}"`;

  const answerForGroup = (request: Request, id: string, subpath: string, userId = ""): Response => {
    const { method, body } = request;
    const inGroup = members.get(id);
    if (inGroup === undefined) return createAnswer(404, { detail: "This group does not exist." });
    if (subpath === "members") {
      if (method === "POST") inGroup.add(String(body["userId"]));
      else if (method === "DELETE") return createAnswer(inGroup.delete(userId) ? 204 : 404);
      const all = [...inGroup].map((one) => ({ groupId: id, userId: one, createdAt: WEEK }));
      return createAnswer(method === "POST" ? 201 : 200, method === "POST" ? {} : all);
    }
    const before = schedules.get(id) ?? { id, version: 1, groupId: id, timeZone: "UTC", layers: [], updatedAt: WEEK };
    if (method === "GET") return createAnswer(200, before, { etag: `"${before.version}"` });
    if (isOutdated(request, before)) return createAnswer(412, { detail: "Changed meanwhile." });
    schedules.set(id, { ...before, ...body, version: before.version + 1 });
    return createAnswer(200, schedules.get(id));
  };

  const answerForItem = (request: Request, list: Map<string, Thing>, id: string): Response => {
    const { method, body } = request;
    const thing = list.get(id);
    if (thing === undefined) return createAnswer(404, { detail: "There is none." });
    if (method === "GET") return createAnswer(200, thing, { etag: `"${thing.version}"` });
    if (isOutdated(request, thing)) return createAnswer(412, { detail: "Changed meanwhile." });
    if (method === "DELETE") {
      list.delete(id);
      members.delete(id);
      schedules.delete(id);
      return createAnswer(204);
    }
    list.set(id, { ...thing, ...body, version: thing.version + 1 });
    return createAnswer(200, list.get(id));
  };

  const createItem = (name: string, list: Map<string, Thing>, body: Record<string, unknown>): Response => {
    count += 1;
    const createdAt = new Date(Date.parse(WEEK) + count).toISOString();
    const own = { id: `${LISTS[name]}_${count}`, workspaceId: "ws_1", version: 1, createdAt, updatedAt: createdAt };
    const more = name === "api-keys" ? { createdBy: null, lastUsedAt: null, mayResolve: "own", signed: false } : {};
    const { url: address, ...rest } = body;
    const host = typeof address === "string" ? new URL(address).host : null;
    const room = { channel: null, userGroup: null, host, follows: null, ...LINE };
    const thing =
      name === "connections" ? { ...room, ...rest, ...own } : { startsAt: WEEK, ...LINE, ...more, ...body, ...own };
    list.set(own.id, thing);
    if (name === "webhooks") return createAnswer(201, { ...thing, secret: `whsec_${count}` });
    if (name === "groups") members.set(own.id, new Set());
    if (name !== "api-keys") return createAnswer(201, thing);
    const source = body["source"] as string | undefined;
    const url = source === undefined ? {} : { url: `https://alerts.example/v1/events/from/${source}/eak_${count}` };
    return createAnswer(201, { ...thing, key: `eak_${count}`, ...url });
  };

  /** A list of more than two items has several pages. */
  const createPage = (items: object[], after: string | null): Response => {
    const from = Number(after ?? 0);
    const page = items.slice(from, from + 2);
    return createAnswer(200, page, from + 2 < items.length ? { link: `<?after=${from + 2}>; rel="next"` } : {});
  };

  const answer = (request: Request, query: URLSearchParams): Response => {
    const [name = "", id, what, userId] = request.path.slice(1).split("/");
    if (name === "") {
      if (request.method === "PATCH" && isOutdated(request, own))
        return createAnswer(412, { detail: "Changed meanwhile." });
      if (request.method === "PATCH") own = { ...own, ...request.body, version: own.version + 1 };
      return createAnswer(200, own, { etag: `"${own.version}"` });
    }
    if (name === "members" && request.method === "PATCH") {
      roles.set(id ?? "", String(request.body["role"]));
      return createAnswer(200, {});
    }
    if (name === "members")
      return createPage(
        emails.map((email) => ({
          userId: `usr_${email.split("@")[0]}`,
          name: "",
          email,
          createdAt: WEEK,
          addedBy: null,
          role: roles.get(`usr_${email.split("@")[0]}`) ?? "manager",
        })),
        query.get("after"),
      );
    if (name === "events") {
      if (id !== undefined)
        return createAnswer(
          200,
          events.find((one) => one["id"] === id),
        );
      return createAnswer(200, {
        items: events.slice(0, Number(query.get("limit"))),
        page: 1,
        limit: 50,
        total: events.length,
      });
    }
    const list = lists.get(name);
    if (list === undefined) return createAnswer(404, {});
    if (id === undefined)
      return request.method === "POST"
        ? createItem(name, list, request.body)
        : createPage([...list.values()], query.get("after"));
    if (what === "secret") return createAnswer(200, { ...list.get(id), secret: `whsec_of_${nameOf(id)}` });
    return what === undefined ? answerForItem(request, list, id) : answerForGroup(request, id, what, userId);
  };

  const send: typeof fetch = async (url, init) => {
    const { pathname, searchParams } = new URL(url instanceof Request ? url.url : url);
    const request: Request = {
      method: init?.method ?? "GET",
      path: pathname.replace("/v1/workspaces/ws_1", ""),
      body: JSON.parse((init?.body as string | undefined) ?? "{}") as Record<string, unknown>,
      ifMatch: new Headers(init?.headers).get("if-match"),
    };
    requests.push(request);
    if (request.method !== "GET") recordWrite(request);
    return answer(request, searchParams);
  };

  const files = new Map<string, string>();
  const run = (args: string, fields: Partial<Parameters<typeof runOn>[2]> = {}) =>
    runOn(files, args.split(" "), {
      ...fields,
      env: { BASE_URL: "https://alerts.example/", WORKSPACE_ID: "ws_1", SESSION_TOKEN: "token", ...fields.env },
      fetch: fields.fetch ?? send,
    });
  /** Makes a change as a person would in the console; the change is not recorded as a write. */
  const changeByHand = (method: string, path: string, body: Record<string, unknown> = {}) =>
    answer({ method, path, body, ifMatch: null }, new URLSearchParams());
  const idOf = (name: string): string =>
    [...lists.values()].flatMap((list) => [...list.values()]).find((one) => one["name"] === name)!.id;
  const takeWrites = (): string[] => writes.splice(0);
  return { run, files, send, byHand: changeByHand, idOf, takeWrites, requests, events };
};
