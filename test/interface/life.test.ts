import { describe, expect, it } from "vitest";
import { runSweep } from "../../core/flow/sweep/sweep.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice, bob, fillWorkspace } from "../support/people.ts";

const furnished = await startFilled();
const { app, mine, ask } = furnished;

type Notification = { id: string; status: string; failedReason: string | null; user: { id: string } };
type Event = { id: string; state: string; outcome: string; notifications: Notification[]; items: Event[] };

const get = (path: string) => furnished.get<Event>(path);
const post = (path: string, body: object, as = alice) => ask<Event>("POST", path, body, as);
const send = (fields: object = {}) =>
  furnished.send({ event: "disk.full", title: "Disk full", body: "95 percent", ...fields });
const sendAndMatch = async (fields: object = {}) => {
  const id = await send(fields);
  await app.work();
  app.advance(1000);
  return id;
};
const listOpenIds = async () => (await get("/events?state=open&limit=100")).items.map(({ id }) => id);

describe("an event that requires an acknowledgement", () => {
  it("notifies nobody after it is resolved, and keeps its first resolution if it is resolved again", async () => {
    // Sends the pushes about earlier events, so that only pushes of this event follow.
    await app.work();
    const id = await send();
    const resolved = await post(`/events/${id}/resolve`, { note: "False alarm" });
    app.pushed.length = 0;
    await app.work();

    expect(resolved).toMatchObject({ status: 200, body: { id, state: "resolved", resolvedBy: { id: alice } } });
    expect(app.pushed).toEqual([]);
    expect(await listOpenIds()).not.toContain(id);
    const again = await post(`/events/${id}/resolve`, {}, bob);
    expect(again).toMatchObject({ status: 200, body: { resolvedBy: { id: alice }, note: "False alarm" } });
    expect(await get(`/events/${id}`)).toMatchObject({
      state: "resolved",
      notifications: [
        { status: "FAILED", failedReason: "Not sent: the event was resolved before this notification was sent" },
        { status: "FAILED" },
      ],
    });
    expect((await post(`/events/${mine.eventId.slice(0, -2)}zz/resolve`, {})).status).toBe(404);
  });

  it("is resolved by a later event that `resolves` its dedupeKey, even before it is matched", async () => {
    const open = await sendAndMatch({ dedupeKey: "disk-1" });
    app.advance(700_000);
    const unmatched = await send({ dedupeKey: "disk-1" });
    const other = await sendAndMatch({ dedupeKey: "disk-2" });
    const ended = await sendAndMatch({ title: "Disk has room", resolves: "disk-1", requiresAck: false });

    for (const id of [open, unmatched])
      expect(await get(`/events/${id}`)).toMatchObject({ state: "resolved", resolvedBy: { id: ended } });
    expect(await get(`/events/${other}`)).toMatchObject({ state: "open" });
    expect(await listOpenIds()).toContain(other);
  });

  it("is not open during a silence, although it can be acknowledged, and is open after the silence", async () => {
    const body = { name: "Night", eventKey: "disk.*", endsAt: "2099-01-01T00:00:00Z" };
    const silence = (await post("/silences", body)).body.id;
    const [id, seen] = [await sendAndMatch(), await sendAndMatch()];

    expect(await get(`/events/${id}`)).toMatchObject({ state: "none", outcome: "silenced", notifications: [] });
    expect(await listOpenIds()).not.toContain(id);
    expect((await get("/events?outcome=silenced")).items.map((event) => event.id)).toEqual([seen, id]);
    expect((await post("/events/acknowledge", { eventIds: [seen] })).body).toMatchObject([{ state: "acknowledged" }]);
    expect((await get("/events?state=acknowledged")).items.map((event) => event.id)).toContain(seen);

    await ask("DELETE", `/silences/${silence}`);
    await runSweep(app.deps, Infinity);
    await app.work();

    expect(await get(`/events/${id}`)).toMatchObject({
      state: "open",
      outcome: "partial",
      afterSilence: { id: silence },
    });
    expect(await listOpenIds()).toContain(id);
    expect(await get(`/events/${seen}`)).toMatchObject({ state: "acknowledged", outcome: "silenced" });
  });
});

describe("a list with several pages", () => {
  type Item = { id: string; event: { id: string }; user: { id: string } };
  type Answered = { status: number; headers: Record<string, string>; body: Item[] & { items: Item[]; total: number } };
  const NEXT = /^<(\?.+)>; rel="next"$/;
  const readNextLink = ({ headers }: Answered) => NEXT.exec(headers["link"] ?? headers["Link"] ?? "")?.[1];
  const ask = (path: string, as = alice) =>
    furnished.ask("GET", path, undefined, as) as Promise<unknown> as Promise<Answered>;
  /** Lists the ids on all pages of a list, by following the links. */
  const listAllPages = async (list: string, query: string, as = alice): Promise<string[]> => {
    const ids: string[] = [];
    for (let next: string | undefined = query; next !== undefined;) {
      const answer = await ask(`${list}${next}`, as);
      expect(answer.status).toBe(200);
      ids.push(...(answer.body.items ?? answer.body).map(({ id }) => id));
      next = readNextLink(answer);
    }
    return ids;
  };
  const site = { site: "https://till.example", site_name: "Shop" };

  it("has each entry once, for any query and page size, and no link to a further page after a full last page", async () => {
    const eventIds: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      eventIds.unshift(
        await sendAndMatch({ event: "shop.down", data: site, ...(index === 2 ? { requiresAck: false } : {}) }),
      );
    }
    const asking = eventIds.filter((_, index) => index !== 2);

    for (const filter of ["eventKey=shop.down&", "site=https://till.example&", "eventKey=shop.*&state=none&"])
      expect(await listAllPages("/events", `?${filter}limit=2`)).toEqual(
        filter.includes("none") ? [eventIds[2]] : eventIds,
      );
    expect(await listAllPages("/events", "?state=open&eventKey=shop.*&limit=3")).toEqual(asking);
    const everything = (await ask("/events?limit=100")).body;
    expect(await listAllPages("/events", "?limit=3")).toEqual(everything.items.map(({ id }) => id));
    expect(everything.total).toBe(everything.items.length);
    const full = ["?eventKey=shop.*&limit=5", `?site=${site.site}&limit=5`, "?state=open&eventKey=shop.*&limit=4"];
    const afterFirst = readNextLink(await ask("/events?limit=1"))?.replace("limit=1", `limit=${everything.total - 1}`);
    for (const query of [`?limit=${everything.total}`, afterFirst, ...full])
      expect([query, readNextLink(await ask(`/events${query}`))]).toEqual([query, undefined]);

    const notifications = (await ask("/notifications?limit=200")).body;
    expect(await listAllPages("/notifications", "?limit=3")).toEqual(notifications.map(({ id }) => id));
    for (const as of [alice, bob]) {
      const own = notifications.filter(({ user }) => user.id === as).map(({ id }) => id);
      expect(await listAllPages("/notifications", "?user=me&limit=2", as)).toEqual(own);
      const open = new Set(await listOpenIds());
      const waiting = notifications.filter(({ user, event }) => user.id === as && open.has(event.id));
      expect(waiting.length).toBeGreaterThan(4);
      expect(await listAllPages("/notifications", "?user=me&state=open&limit=2", as)).toEqual(
        waiting.map(({ id }) => id),
      );
    }
    const waitingForAll = await listAllPages("/notifications", "?state=open&limit=5");
    expect(waitingForAll).toHaveLength(2 * new Set(await listOpenIds()).size);
    expect(readNextLink(await ask(`/events/${asking[0]}/notifications`))).toBeUndefined();
    await post("/members", { userId: "usr_00000000000000000000000000000033", name: "Mo", email: "mo@a.example" });
    const urgent = await ask("/events?state=open&order=urgency", "usr_00000000000000000000000000000033");
    expect(urgent.body.items.length).toBeGreaterThan(0);
  });

  it("leaves out an entry that ends between two pages, and continues after it", async () => {
    const first = await ask("/notifications?user=me&state=open&limit=2");
    const ids = first.body.map(({ event }) => event.id);
    await post("/events/acknowledge", { eventIds: ids });
    const second = await ask(`/notifications${readNextLink(first)}`);

    expect(second.body).toHaveLength(2);
    expect((await ask("/notifications?user=me&state=open&limit=2")).body.map(({ id }) => id)).toEqual(
      second.body.map(({ id }) => id),
    );
  });

  it("refuses a cursor of another list, workspace or filter, and an invalid cursor", async () => {
    const link = readNextLink(await ask("/events?limit=1")) ?? "";
    const cursor = new URLSearchParams(link).get("cursor") ?? "";
    const theirs = await fillWorkspace(app, bob);
    const elsewhere = await app.ask("/v1/workspaces/" + theirs.workspaceId + `/events?cursor=${cursor}`, { as: bob });

    expect(await ask(`/events${link}`)).toMatchObject({ status: 200, body: { page: 2 } });
    expect(elsewhere).toMatchObject({ status: 422, body: { errors: [{ field: "cursor" }] } });
    for (const path of [
      `/events?eventKey=shop.*&cursor=${cursor}`,
      `/notifications?cursor=${cursor}`,
      `/events?cursor=${cursor}x`,
      `/events?cursor=${cursor.slice(0, -1)}`,
      "/events?cursor=",
      "/notifications?state=open&cursor=3",
    ])
      expect(await ask(path)).toMatchObject({ status: 422, body: { errors: [{ field: "cursor" }] } });
    expect(await ask(`/events${link}&page=2`)).toMatchObject({ status: 422, body: { errors: [{ field: "page" }] } });
    expect(await ask("/notifications?state=acknowledged&user=bob")).toMatchObject({
      status: 422,
      body: { errors: [{ field: "user" }, { field: "state" }] },
    });
  });
});
