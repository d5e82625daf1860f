import { afterAll, describe, expect, it } from "vitest";
import { toIso } from "../../core/domain/basics/time.ts";
import { startApp } from "../world/app.ts";
import { alice, bob } from "../support/people.ts";
import { carol, dave, startRota } from "../support/rota.ts";

const app = await startApp();
afterAll(app.close);

const listWarnings = ({ warnings }: { warnings: { code: string; id?: string }[] }) =>
  warnings.map(({ code, id }) => (id === undefined ? code : `${code} ${id}`));

describe("an override of the on-call schedule", () => {
  it.each([
    ["responder", "in the group for themselves", bob, bob, 201],
    ["responder", "outside the group for themselves", carol, carol, 403],
    ["responder", "in the group for another person in it", bob, alice, 403],
    ["responder", "in the group for a person outside it", bob, carol, 403],
    ["viewer", "in the group for themselves", bob, bob, 403],
    ["manager", "outside the group for themselves", carol, carol, 201],
    ["manager", "outside the group for a person in it", carol, bob, 201],
    ["manager", "outside the group for another person outside it", carol, dave, 201],
  ] as const)("by a %s %s is answered with $4", async (role, _, by, userId, status) => {
    const { override } = await startRota(app, { [by]: role });

    expect((await override(userId, by)).status).toBe(status);
  });

  it("is refused to a responder who is not a member of the group, with that reason", async () => {
    const { override } = await startRota(app);

    expect((await override(carol, carol)).body.detail).toBe(
      "Putting yourself on call in a group of which you are not a member requires the role manager; yours is responder. An owner of the workspace can change your role.",
    );
  });

  it("adds a person from outside to the group, so that events notify the person", async () => {
    const { override, send, onCall, notices } = await startRota(app, { [carol]: "manager" });

    const made = await override(carol, alice);

    expect(listWarnings(made.body)).toEqual([`joined_group ${carol}`]);
    expect(await onCall()).toMatchObject([{ userId: carol, notified: true, notNotified: null }]);
    expect((await send()).notified).toEqual([carol]);
    expect(await notices()).toMatchObject([
      { eventKey: "service.on_call", title: `${alice} changed who is on call in Ops`, to: [carol] },
    ]);
  });

  it("for a person without a device leaves the shift to the rotations", async () => {
    const { override, send, onCall, ask, groupId } = await startRota(app);

    const made = await override(dave, alice);

    expect(listWarnings(made.body)).toEqual([`joined_group ${dave}`, `no_device ${dave}`]);
    expect(await onCall()).toMatchObject([{ userId: alice, notified: true }]);
    expect((await send()).notified).toEqual([alice]);
    const overrides = [{ userId: dave, covers: false }];
    expect((await ask("GET", `/groups/${groupId}/on-call`)).body).toMatchObject({ overrides });
  });

  it("is shown in a group without a schedule, can be deleted there, and is kept when the group gets a schedule", async () => {
    const { ws, ask, schedule } = await startRota(app);
    const { id: groupId } = (await ask<{ id: string }>("POST", "/groups", alice, { name: "Extra" })).body;
    const at = `/groups/${groupId}/on-call`;
    const readSchedule = () =>
      app.ask<{ version: number; layers: object[]; overrides: { id: string; userId: string }[] }>(
        `/v1/workspaces/${ws}${at}`,
        { as: alice },
      );
    expect((await readSchedule()).status).toBe(404);
    const until = { start: toIso(app.deps.now()), end: toIso(app.deps.now() + 3_600_000) };
    const { id } = (await ask<{ id: string }>("POST", `${at}/overrides`, alice, { userId: bob, ...until })).body;

    const shown = await readSchedule();
    expect(shown.body).toMatchObject({ version: 0, layers: [], overrides: [{ id, userId: bob }] });
    const seen = { "if-match": shown.headers["ETag"] ?? "" };
    const body = schedule(alice);
    const put = await app.ask(`/v1/workspaces/${ws}${at}`, { method: "PUT", as: alice, body, headers: seen });
    expect(put).toMatchObject({ status: 200, body: { version: 1 } });
    expect((await readSchedule()).body.overrides).toHaveLength(1);
    expect((await ask("DELETE", `${at}/overrides/${id}`)).status).toBe(204);
  });

  it.each([
    ["it was deleted", (id: string) => `on-call/overrides/${id}`],
    ["its person has left the group", () => `members/${bob}`],
  ])("has no effect on the next event once %s", async (_, toPath) => {
    const { override, send, onCall, ask, groupId } = await startRota(app);
    const { id } = (await override(bob, bob)).body;
    expect((await send()).notified).toEqual([bob]);

    await ask("DELETE", `/groups/${groupId}/${toPath(id)}`);

    expect(await onCall()).toMatchObject([{ userId: alice }]);
    expect((await send()).notified).toEqual([alice]);
  });

  it("is named in the explanation of why a person was not notified, with its author and time", async () => {
    const { override, send, ask } = await startRota(app);
    const { id } = (await override(bob, bob)).body;
    const { eventId } = await send();

    const { body } = await ask<{ rules: { reason: string; message: string }[] }>(
      "GET",
      `/events/${eventId}/explain?userId=${alice}`,
    );

    expect(body.rules[0]?.reason).toBe("not_on_call");
    expect(body.rules[0]?.message).toMatch(
      new RegExp(`Bob was on call in Ops because of the override ${id} that Bob created at 2026-\\S+Z\\.$`),
    );
  });

  it.each([
    ["the person whom it puts on call", bob, bob, 204],
    ["the person who created it", carol, carol, 204],
    ["another responder", bob, dave, 403],
  ])(
    "can be deleted by its person and its creator, but not by other responders: an attempt by %s",
    async (_, userId, by, status) => {
      const { override, ask, groupId } = await startRota(app, { [carol]: "manager" });
      const { id } = (await override(userId, carol)).body;
      await ask("PATCH", `/members/${carol}`, alice, { role: "responder" });

      expect((await ask("DELETE", `/groups/${groupId}/on-call/overrides/${id}`, by)).status).toBe(status);
    },
  );

  it("can be deleted by a person who would then be alone on call for the override's whole time", async () => {
    const { override, ask, groupId } = await startRota(app, { [carol]: "owner" });
    await ask("PATCH", `/members/${alice}`, carol, { role: "responder" });

    for (const days of [1, 8]) {
      const { id } = (await override(bob, carol, 24 * days)).body;
      expect((await ask("DELETE", `/groups/${groupId}/on-call/overrides/${id}`, alice)).status).toBe(
        days === 1 ? 204 : 403,
      );
    }
  });

  it("cannot be deleted by a person who would be on call together with others", async () => {
    const { override, ask, groupId, put, schedule } = await startRota(app, { [carol]: "owner" });
    await ask("PATCH", `/members/${alice}`, carol, { role: "responder" });
    await put(schedule([alice, bob]), carol);
    const { id } = (await override(carol, carol)).body;

    expect((await ask("DELETE", `/groups/${groupId}/on-call/overrides/${id}`, alice)).status).toBe(403);
  });
});

describe("deleting another person's override of the on-call schedule", () => {
  it("sends a notice to the people who lose the shift and to the people who are on call again", async () => {
    const { override, ask, groupId, notices } = await startRota(app, { [carol]: "manager" });
    const { id } = (await override(bob, carol)).body;
    await notices();

    await ask("DELETE", `/groups/${groupId}/on-call/overrides/${id}`, carol);

    expect((await notices())[0]).toMatchObject({ eventKey: "service.on_call", to: [alice, bob] });
  });
});

describe("a change of the on-call schedule", () => {
  it("by another person sends a notice to the people who lose a shift and to the group's managers", async () => {
    const { put, schedule, notices } = await startRota(app, { [carol]: "manager" });

    await put(schedule(bob), carol);

    const [notice] = await notices();
    expect(notice).toMatchObject({ title: "Carol changed who is on call in Ops", to: [alice] });
    expect(notice?.body).toMatch(/^\S+ is not on call from \S+ to \S+\. Bob is on call from/);
  });

  it("that changes only the time zone sends a notice to the people whose shifts move", async () => {
    const { ask, schedule, notices } = await startRota(app, { [carol]: "manager" });
    const group = (await ask<{ id: string }>("POST", "/groups", alice, { name: "Net" })).body.id;
    await ask("POST", `/groups/${group}/members`, alice, { userId: bob });
    const [layer] = schedule(bob).layers;
    const restrictions = [{ days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "00:00", to: "12:00" }];
    const putIn = (timeZone: string) =>
      ask("PUT", `/groups/${group}/on-call`, carol, { timeZone, layers: [{ ...layer, restrictions }] });
    await putIn("UTC");

    await putIn("Asia/Tokyo");

    expect(await notices()).toMatchObject([{ title: "Carol changed who is on call in Net", to: [bob] }]);
  });

  it("by the only person who loses a shift sends no notice", async () => {
    const { put, schedule, notices } = await startRota(app, { [bob]: "responder" });

    await put(schedule(bob), alice);

    expect(await notices()).toEqual([]);
  });

  it("by a removal from the workspace sends a notice to the group's managers, but not to the removed person", async () => {
    const { put, schedule, ask, groupId, notices } = await startRota(app, { [carol]: "manager" });
    await put(schedule(bob));
    await ask("POST", `/groups/${groupId}/members`, alice, { userId: carol });
    expect(await notices()).toEqual([]);

    await ask("DELETE", `/members/${bob}`);

    const body = expect.stringMatching(/^Bob is not on call from/);
    expect(await notices()).toMatchObject([{ to: [carol], body }]);
  });

  it("warns of times when nobody can be notified, if only an override of a person without a device remains", async () => {
    const { put, override } = await startRota(app);
    await override(dave, alice, 9_000 / 24);

    const { body } = await put({ timeZone: "UTC", layers: [] });

    expect(body.gaps).toHaveLength(1);
    expect(listWarnings(body)).toContain("gaps");
  });

  it("warns of times when nobody can be notified, if it puts only unreachable people on call", async () => {
    const { put, schedule, onCall } = await startRota(app);

    expect((await put(schedule(alice))).body.gaps).toEqual([]);
    expect((await put(schedule(carol))).body.gaps).toHaveLength(1);
    expect(await onCall()).toMatchObject([{ userId: carol, notified: false, notNotified: "not_in_group" }]);
  });

  it("keeps the turns of everybody else if it replaces one name in place", async () => {
    const { put, schedule, onCall, ask, groupId } = await startRota(app);
    await ask("POST", `/groups/${groupId}/members`, alice, { userId: carol });
    await put(schedule(alice, bob, dave));

    const { body } = await put(schedule(carol, bob, dave));

    expect(listWarnings(body)).toContain(`turns_moved ${alice}`);
    expect(listWarnings(body)).not.toContain(`turns_moved ${bob}`);
    expect(await onCall()).toMatchObject([{ userId: carol, notified: true }]);
  });

  it("with an unknown weekday is refused with a list of the valid weekdays", async () => {
    const { put, schedule } = await startRota(app);
    const [layer] = schedule(alice).layers;
    const restrictions = [{ days: ["montag"], from: "09:00", to: "17:00" }];

    const { body } = await put({ timeZone: "UTC", layers: [{ ...layer, restrictions }] });

    expect(body).toMatchObject({
      errors: [
        {
          field: "layers[0].restrictions[0].days[0]",
          message: expect.stringMatching(/^A day must be one of mon, tue, wed, thu, fri, sat, sun/),
        },
      ],
    });
  });

  it("warns of each person whose turns move to other times", async () => {
    const { put, schedule } = await startRota(app);

    expect(listWarnings((await put(schedule(alice, dave))).body)).toContain(`no_device ${dave}`);
    expect(listWarnings((await put(schedule(alice, bob))).body)).toEqual([`turns_moved ${dave}`]);
    expect(listWarnings((await put(schedule(bob, alice))).body)).toEqual([]);
    const [layer] = schedule(alice, bob).layers;
    const other = { timeZone: "UTC", layers: [{ ...layer, first: 1 }] };
    expect(listWarnings((await put(other)).body)).toEqual([`turns_moved ${alice}`, `turns_moved ${bob}`]);
  });
});

describe("an event that notifies nobody", () => {
  const priority = "URGENT";

  it.each([
    ["URGENT, by a rule that names nobody on call", { priority }, { layers: [] }, 1],
    ["of another priority, by a rule that names nobody on call", {}, { layers: [] }, 0],
    ["URGENT, with somebody on call", { priority }, undefined, 0],
  ])("is reported at once only if it is URGENT and nobody is on call: %s", async (_, event, emptied, expected) => {
    const { put, send, notices } = await startRota(app);
    if (emptied !== undefined) await put({ timeZone: "UTC", ...emptied });

    await send(event);

    const notified = (await notices()).filter(({ eventKey }) => eventKey === "service.unnoticed");
    expect(notified).toHaveLength(expected);
    for (const notice of notified)
      expect(notice).toMatchObject({
        eventKey: "service.unnoticed",
        title: "An URGENT event notified nobody: Order failed",
        to: [alice],
      });
  });

  it("is not reported in a workspace that has never had a rule", async () => {
    const create = async <Body>(path: string, name: string) =>
      (await app.ask<Body>(`/v1/workspaces${path}`, { method: "POST", as: alice, body: { name } })).body;
    const { id } = await create<{ id: string }>("", "New");
    const { key } = await create<{ key: string }>(`/${id}/api-keys`, "Shop");
    const event = { event: "a.b", title: "t", body: "b" };
    await app.ask("/v1/events", { method: "POST", apiKey: key, body: event });
    await app.work();

    expect((await app.ask(`/v1/workspaces/${id}/events`, { as: alice })).body).toMatchObject({ total: 1 });
  });

  it.each([
    ["the first of its key that no rule matches", {}, ["No rule matches a new event: Order failed"]],
    ["an URGENT one that no rule matches", { priority }, ["An URGENT event notified nobody: Order failed"]],
  ])("is reported to the owners once an hour if it is %s", async (_, event, titles) => {
    const { ask, send, notices } = await startRota(app);
    const { body: rules } = await ask<{ id: string }[]>("GET", "/routing-rules");
    for (const { id } of rules) await ask("DELETE", `/routing-rules/${id}`);

    for (let nr = 0; nr < 3; nr += 1) await send({ event: `order.failed_${"abc"[nr]}`, ...event });
    expect((await notices()).map(({ title }) => title)).toEqual(titles);

    app.advance(3_600_000);
    await send({ event: "order.failed_d", ...event });
    expect(await notices()).toHaveLength(2);
  });

  it.each([
    ["the default priority", {}],
    ["the priority URGENT", { priority }],
  ])("is not reported if it has %s and resolves another event", async (_, event) => {
    const { send, notices } = await startRota(app);
    await send({ dedupeKey: "shop" });

    await send({ event: "order.recovered", resolves: "shop", ...event });

    expect(await notices()).toEqual([]);
  });

  it("is not reported if its event key has been seen before", async () => {
    const { ask, send, notices } = await startRota(app);
    await send();
    const { body: rules } = await ask<{ id: string }[]>("GET", "/routing-rules");
    for (const { id } of rules) await ask("DELETE", `/routing-rules/${id}`);

    await send();

    expect(await notices()).toEqual([]);
  });
});
