import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import type { Role } from "../../core/domain/people/role.ts";
import type { Method } from "../../interface/contract.ts";
import { limitWorkspaces } from "../../core/store/people/workspaces.ts";
import { toIso } from "../../core/domain/basics/time.ts";
import type { App } from "../world/app.ts";
import { alice, bob } from "./people.ts";

export const carol = "usr_ca201000000000000000000000000005";
export const dave = "usr_da5e0000000000000000000000000006";
const HOUR_MS = 3_600_000;

type Warned = { warnings: { code: string; id?: string }[] };
type Notice = { id: string; eventKey: string; title: string };
type Now = { onCall: { userId: string; notified: boolean; notNotified: string | null }[] };

/**
 * By day Alice is on call in Ops, in a weekly rotation with Bob, who is also in Ops. Carol and Dave are in no group. A rule
 * notifies the people on call in Ops of each event.
 */
export const startRota = async (
  app: App,
  roles: Readonly<Record<string, Role>> = {},
  withDevice = [alice, bob, carol],
) => {
  await limitWorkspaces(app.deps, alice, 100);
  const { id: ws } = (
    await app.ask<{ id: WorkspaceId }>("/v1/workspaces", { method: "POST", as: alice, body: { name: "Acme" } })
  ).body;
  const ask = <Body = { code?: string; detail?: string }>(method: Method, path: string, as = alice, body?: object) =>
    app.ask<Body>(`/v1/workspaces/${ws}${path}`, { method, as, ...(body === undefined ? {} : { body }) });
  const createItem = async (path: string, body: object): Promise<string> =>
    (await ask<{ id: string }>("POST", path, alice, body)).body.id;
  for (const [userId, name] of [
    [bob, "Bob"],
    [carol, "Carol"],
    [dave, "Dave"],
  ] as const)
    await createItem("/members", { userId, name, email: `${name}@acme.example`, role: roles[userId] ?? "responder" });
  for (const userId of withDevice)
    await ask("POST", "/devices", userId, { token: `token-${ws}-${userId}`, platform: "ios" });
  const groupId = await createItem("/groups", { name: "Ops" });
  for (const userId of [alice, bob]) await ask("POST", `/groups/${groupId}/members`, alice, { userId });
  const target = { type: "group", groupId };
  await createItem("/routing-rules", { name: "All", eventKey: "*", targets: [target], onCallOnly: true });
  const { key } = (await ask<{ key: string }>("POST", "/api-keys", alice, { name: "Shop" })).body;
  const layer = { start: toIso(app.deps.now() - HOUR_MS), every: 1, unit: "week" };
  const schedule = (...participants: unknown[]) => ({ timeZone: "UTC", layers: [{ ...layer, participants }] });
  const put = (body: object, as = alice) =>
    ask<Warned & { gaps: object[]; code?: string }>("PUT", `/groups/${groupId}/on-call`, as, body);
  await put(schedule(alice, bob));
  await app.work();
  app.pushed.length = 0;
  return {
    ws,
    ask,
    groupId,
    put,
    schedule,
    override: (userId: string, as: string, hours = 8) =>
      ask<Warned & { id: string; code?: string; detail?: string; createdBy: object }>(
        "POST",
        `/groups/${groupId}/on-call/overrides`,
        as,
        { userId, start: toIso(app.deps.now()), end: toIso(app.deps.now() + hours * HOUR_MS) },
      ),
    onCall: async () => (await ask<Now>("GET", `/groups/${groupId}/on-call/now`)).body.onCall,
    /** Returns the ids of the notified people, and of the event. */
    send: async (event: object = {}) => {
      app.advance(1);
      const body = { event: "order.failed", title: "Order failed", body: "No stock", ...event };
      const { eventId } = (await app.ask<{ eventId: string }>("/v1/events", { method: "POST", apiKey: key, body }))
        .body;
      await app.work();
      const { body: all } = await ask<{ user: { id: string } }[]>("GET", `/events/${eventId}/notifications`);
      return { eventId, notified: all.map(({ user }) => user.id) };
    },
    /** Returns the notices since the last call. */
    notices: async () => {
      await app.work();
      const { items } = (await ask<{ items: Notice[] }>("GET", "/events?eventKey=service.*")).body;
      return Promise.all(
        items.map(async ({ id, eventKey, title }) => {
          const { body } = (await ask<{ body: string }>("GET", `/events/${id}`)).body;
          const to = (await ask<{ user: { id: string } }[]>("GET", `/events/${id}/notifications`)).body;
          return { eventKey, title, body, to: to.map(({ user }) => user.id).sort() };
        }),
      );
    },
  };
};
