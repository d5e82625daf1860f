import { afterAll, describe, expect, it } from "vitest";
import { toIso } from "../../core/domain/basics/time.ts";
import { notifyOfCover } from "../../core/flow/admin/covers.ts";
import { alice, bob } from "../support/people.ts";
import { carol, dave, startRota } from "../support/rota.ts";
import { startApp } from "../world/app.ts";
import { withHook, callTo, createInterruption } from "../world/interruption.ts";

const app = await startApp();
afterAll(app.close);

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 7 * 24;

type View = {
  id: string;
  status: string;
  /** Only a refusal contains the state of the cover. */
  state?: string;
  userId: string;
  asked: { userId: string }[];
  declined: string[];
  takenBy: { userId: string; name: string } | null;
  overrideIds: string[];
  canTake: boolean;
  code?: string;
  detail?: string;
  reason?: string;
};

/** Alice and Bob take turns, and Carol is in the group but off call. Cover is requested for two hours on the next day. */
const startCovers = async (
  ...[roles, devices]: [Parameters<typeof startRota>[1]?, Parameters<typeof startRota>[2]?]
) => {
  const rota = await startRota(app, roles, devices);
  const { ask, groupId } = rota;
  await ask("POST", `/groups/${groupId}/members`, alice, { userId: carol });
  const createPeriod = (from: number, hours = 2) => ({
    start: toIso(app.deps.now() + from * HOUR_MS),
    end: toIso(app.deps.now() + (from + hours) * HOUR_MS),
  });
  const requestCover = (as = alice, body: object = {}) =>
    ask<View>("POST", `/groups/${groupId}/on-call/covers`, as, { ...createPeriod(48), ...body });
  return {
    ...rota,
    span: createPeriod,
    request: requestCover,
    make: async (body: object = {}) => (await requestCover(alice, body)).body,
    press: (id: string, verb: "take" | "withdraw" | "decline", as: string) =>
      ask<View>("POST", `/covers/${id}/${verb}`, as),
    onCallAt: async (hours: number) => {
      const at = encodeURIComponent(toIso(app.deps.now() + hours * HOUR_MS));
      const { onCall } = (await ask<{ onCall: { userId: string }[] }>("GET", `/groups/${groupId}/on-call/now?at=${at}`))
        .body;
      return onCall.map(({ userId }) => userId);
    },
    overrides: async () =>
      (await ask<{ overrides: { coverId?: string; insteadOf?: string }[] }>("GET", `/groups/${groupId}/on-call`)).body
        .overrides,
    later: async (hours: number) => {
      app.advance(hours * HOUR_MS);
      await app.escalate();
    },
  };
};

describe("a request for cover", () => {
  it("asks people of the group who are off call, rested and reachable", async () => {
    const { request, ask, groupId } = await startCovers();
    await ask("POST", `/groups/${groupId}/members`, alice, { userId: dave });

    const { status, body } = await request();

    expect(status).toBe(201);
    expect(body).toMatchObject({ status: "open", userId: alice, takenBy: null, canTake: false });
    expect(body.asked.map(({ userId }) => userId)).toEqual([bob, carol]);
  });

  it("asks only people who would still get the hours of rest that the schedule requires", async () => {
    const { request, put, schedule, span } = await startCovers();
    await put({ ...schedule(alice, bob), restHours: 0 });

    const { body } = await request(alice, span(WEEK_HOURS - 4));

    expect(body.asked.map(({ userId }) => userId)).toEqual([bob, carol]);
  });

  it.each([
    ["the person on call", bob, { [bob]: "responder" }, WEEK_HOURS + 48, 201],
    ["a colleague for the person on call", bob, { [bob]: "responder" }, 48, 403],
    ["a manager for the person on call", carol, { [carol]: "manager" }, 48, 201],
    ["a viewer on call", bob, { [bob]: "viewer" }, WEEK_HOURS + 48, 403],
    ["the person on call, for a time in the past", alice, {}, -1, 422],
    ["the person on call, for a time after the end of the shift", alice, {}, WEEK_HOURS - 2, 422],
  ] as const)("by %s is answered with $4", async (_, as, roles, from, status) => {
    const { request, span } = await startCovers(roles);

    expect((await request(as, span(from))).status).toBe(status);
  });

  it("that is repeated returns the open cover, or creates a new cover after the first one has ended", async () => {
    const { request, press, ask, groupId } = await startCovers();
    const listCovers = async () =>
      (await ask<View[]>("GET", `/groups/${groupId}/on-call/covers`)).body.map(({ id, status }) => [id, status]);

    const both = await Promise.all([request(), request()]);
    const { status, body } = await request(alice, { note: "Please" });

    expect(both.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([200, 201]);
    expect([status, body.id]).toEqual([200, both[0].body.id]);
    expect(await listCovers()).toEqual([[body.id, "open"]]);

    await press(body.id, "withdraw", alice);
    const next = await request();

    expect(next.status).toBe(201);
    expect(new Set((await listCovers()).map(([, state]) => state))).toEqual(new Set(["open", "withdrawn"]));
  });

  it("sends each person one quiet push outside of the night, and pages nobody", async () => {
    const { later, request } = await startCovers();
    await later(10);
    app.pushed.length = 0;

    await request();
    await app.work();
    expect(app.pushed).toEqual([]);
    await later(10);
    await app.work();

    expect(app.pushed.map(({ notification }) => notification.title)).toEqual(
      Array(2).fill("Can you cover for Alice in Ops?".replace("Alice", alice)),
    );
    expect(app.pushed.map(({ data }) => data["priority"])).toEqual(["LOW", "LOW"]);
  });

  it("that nobody accepts is reported to managers a day before the shift, and to its author when the shift begins", async () => {
    const { make, later, notices } = await startCovers({ [carol]: "manager" });
    await make({ to: [bob] });
    await notices();

    await later(25);
    const reminded = await notices();
    await later(24);

    expect(reminded[0]).toMatchObject({ eventKey: "service.cover", to: [alice, carol].sort() });
    expect(reminded[0]?.title).toMatch(/^Nobody covers .* in Ops yet$/);
    expect((await notices())[0]).toMatchObject({ title: "Nobody took your shift in Ops", to: [alice] });
  });

  it("notifies the managers even if a first sweep dies before it has notified them", async () => {
    const { make, later, notices } = await startCovers({ [carol]: "manager" });
    const { id } = await make({ to: [bob] });
    app.advance(25 * HOUR_MS);
    const due = (await app.stand.listItems()).filter((item) => item["id"] === id && item["due"] !== undefined);
    const { beforeCall, arm } = createInterruption(callTo("Put", "#EVENTS"));
    arm();
    const table = withHook(app.stand.table, beforeCall);
    await expect(notifyOfCover({ ...app.deps, table }, due[0] as never)).rejects.toThrow("died");

    for (const hours of [0, 0.1]) await later(hours);

    expect((await notices())[0]?.title).toMatch(/^Nobody covers .* in Ops yet$/);
  });

  it("cannot be declined once the shift has begun", async () => {
    const { make, later, press } = await startCovers();
    const { id } = await make();
    await later(49);

    expect(await press(id, "decline", bob)).toMatchObject({ status: 409, body: { state: "expired" } });
  });

  it("is closed by the first sweep after the shift", async () => {
    const { make, later } = await startCovers();
    const { id } = await make();

    await later(72);

    const left = (await app.stand.listItems()).filter((item) => item["id"] === id && item["due"] !== undefined);
    expect(left).toEqual([]);
  });
});

describe("accepting a cover", () => {
  it("puts the accepting person on call only for the time of the cover, and notifies the person who asked", async () => {
    const { make, press, onCallAt, overrides, notices } = await startCovers();
    const { id } = await make();
    await notices();

    const { status, body } = await press(id, "take", carol);

    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "taken", takenBy: { userId: carol, name: "Carol" } });
    expect([await onCallAt(47), await onCallAt(49), await onCallAt(51)]).toEqual([[alice], [carol], [alice]]);
    expect(await overrides()).toMatchObject([{ coverId: id, insteadOf: alice, userId: carol }]);
    expect((await notices())[0]).toMatchObject({ title: `Carol covers for ${alice} in Ops`, to: [alice] });
  });

  it("by ten people at the same moment succeeds for one of them, who may repeat the request", async () => {
    const { make, press, overrides, ask, groupId, ws } = await startCovers();
    const crowd = Array.from({ length: 10 }, (_, index) => `usr_c${index}0000000000000000000000000000000`);
    for (const userId of crowd) {
      await ask("POST", "/members", alice, { userId, name: "One", email: "one@acme.example", role: "responder" });
      await ask("POST", "/devices", userId, { token: `token-${ws}-${userId}`, platform: "ios" });
      await ask("POST", `/groups/${groupId}/members`, alice, { userId });
    }
    const { id } = await make();

    const answers = await Promise.all(crowd.map((userId) => press(id, "take", userId)));
    const won = answers.filter(({ status }) => status === 200);
    const again = await press(id, "take", won[0]?.body.takenBy?.userId ?? "");

    expect(won.length).toBe(1);
    expect(answers.filter(({ status }) => status === 409).map(({ body }) => body.code)).toEqual(
      Array(9).fill("cover_closed"),
    );
    expect(again.status).toBe(200);
    expect(await overrides()).toHaveLength(1);
  });

  it("at the same moment as its withdrawal leaves an override only if the cover is accepted in the end", async () => {
    for (let round = 0; round < 8; round += 1) {
      const { make, press, overrides } = await startCovers();
      const { id } = await make();

      const both = [() => press(id, "take", carol), () => press(id, "withdraw", alice)];
      const answers = await Promise.all((round % 2 === 0 ? both : both.toReversed()).map((one) => one()));

      const { state } = (await press(id, "decline", bob)).body;
      expect(answers.some((answer) => answer.status === 200)).toBe(true);
      expect((await overrides()).length).toBe(state === "taken" ? 1 : 0);
    }
  });

  it("is refused when the person who asked is no longer on call, and once the shift has begun", async () => {
    const { make, press, ask, groupId, span, later } = await startCovers();
    const { id } = await make();
    await ask("POST", `/groups/${groupId}/on-call/overrides`, bob, { userId: bob, ...span(47) });

    expect(await press(id, "take", bob)).toMatchObject({
      status: 409,
      body: { code: "cannot_cover", reason: "not_on_call" },
    });
    await later(48);
    expect((await press(id, "take", carol)).body).toMatchObject({ code: "cover_closed", state: "expired" });
  });

  it("replaces only the person who asked if several people share the turn", async () => {
    const { make, press, put, schedule, onCallAt } = await startCovers();
    await put(schedule([alice, bob]));
    const { id } = await make({ userId: alice });

    await press(id, "take", carol);

    expect((await onCallAt(49)).sort()).toEqual([bob, carol].sort());
  });

  it("can be followed by another cover for the same shift", async () => {
    const { make, press, request, onCallAt } = await startCovers();
    await press((await make()).id, "take", carol);

    const again = await request(carol);
    await press(again.body.id, "take", bob);

    expect(again.status).toBe(201);
    expect(await onCallAt(49)).toEqual([bob]);
  });
});

describe("a swap of shifts", () => {
  it("moves both shifts, and withdrawing it moves both back", async () => {
    const { make, press, span, onCallAt, overrides } = await startCovers();
    const { id, asked } = await make({ inReturn: span(WEEK_HOURS + 48) });

    await press(id, "take", bob);
    const swapped = [await onCallAt(49), await onCallAt(WEEK_HOURS + 49)];
    const before = (await overrides()).length;
    await press(id, "withdraw", bob);

    expect(asked.map(({ userId }) => userId)).toEqual([bob]);
    expect(swapped).toEqual([[bob], [alice]]);
    expect([before, (await overrides()).length]).toEqual([2, 0]);
    expect([await onCallAt(49), await onCallAt(WEEK_HOURS + 49)]).toEqual([[alice], [bob]]);
  });
});

describe("withdrawing a cover", () => {
  it.each([
    ["the person who asked", alice, 200, [[`${alice} withdrew the cover for ${alice} in Ops`, [carol], true]]],
    ["the person who accepted", carol, 200, [[`Carol withdrew the cover for ${alice} in Ops`, [alice], true]]],
    ["a colleague", bob, 403, []],
  ])(
    "is allowed only to the person who asked and the person who accepted, and notifies the other one: tried by %s",
    async (_, as, status, told) => {
      const { make, press, notices, onCallAt } = await startCovers();
      const { id } = await make();
      await press(id, "take", carol);
      const before = (await notices()).length;

      const answer = await press(id, "withdraw", as);

      expect(answer.status).toBe(status);
      expect(answer.body.overrideIds).toEqual(status === 200 ? [] : undefined);
      expect(await onCallAt(49)).toEqual(status === 200 ? [alice] : [carol]);
      const fresh = await notices();
      const said = fresh.slice(0, fresh.length - before);
      const isCoveredAgain = ({ body }: { body: string }) => body.endsWith("again; Carol no longer covers it.");
      expect(said.map((notice) => [notice.title, notice.to, isCoveredAgain(notice)])).toEqual(told);
    },
  );

  it("is refused if the person who accepted has given the shift away by a later cover, until that is withdrawn", async () => {
    const { make, press, request, onCallAt, notices } = await startCovers();
    const { id } = await make();
    await press(id, "take", carol);
    const later = await request(carol);
    await press(later.body.id, "take", bob);

    for (const as of [alice, carol]) {
      const refused = await press(id, "withdraw", as);
      expect(refused.status).toBe(409);
      expect(refused.body).toMatchObject({ code: "cover_closed", state: "taken" });
      expect(refused.body.detail).toContain("Bob would lose it");
    }
    expect(await onCallAt(49)).toEqual([bob]);

    await press(later.body.id, "withdraw", bob);
    expect(await onCallAt(49)).toEqual([carol]);
    expect((await notices())[0]).toMatchObject({ to: [carol] });
    expect((await press(id, "withdraw", alice)).status).toBe(200);
    expect(await onCallAt(49)).toEqual([alice]);
  });

  it("sends a notice of who is on call, even if the override of an earlier cover of the same shift was deleted", async () => {
    const { make, press, request, ask, groupId, notices } = await startCovers();
    const { id } = await make();
    const { overrideIds } = (await press(id, "take", carol)).body;
    const later = await request(carol);
    await press(later.body.id, "take", bob);
    await ask("DELETE", `/groups/${groupId}/on-call/overrides/${overrideIds[0]}`);
    const deleted = await notices();
    await press(later.body.id, "withdraw", bob);
    const [last] = await notices();

    expect(deleted.some(({ to }) => to.includes(bob))).toBe(true);
    expect(last?.body).toMatch(/Bob no longer covers the shift of Carol .*\. On call: /);
  });

  it("is refused once the shift has begun, even by deleting the cover's override", async () => {
    const { make, press, overrides, ask, groupId, later } = await startCovers({ [carol]: "responder" });
    const { id } = await make();
    const { overrideIds } = (await press(id, "take", carol)).body;
    await later(49);

    expect((await press(id, "withdraw", carol)).body).toMatchObject({ code: "cover_closed", state: "taken" });
    expect((await ask("DELETE", `/groups/${groupId}/on-call/overrides/${overrideIds[0]}`, carol)).status).toBe(403);
    expect(await overrides()).toHaveLength(1);
  });

  it("can be done by deleting the cover's override before the shift begins", async () => {
    const { make, press, span, ask, groupId, overrides } = await startCovers();
    const { id } = await make({ inReturn: span(WEEK_HOURS + 48) });
    const { overrideIds } = (await press(id, "take", bob)).body;

    await ask("DELETE", `/groups/${groupId}/on-call/overrides/${overrideIds[0]}`);

    expect(await overrides()).toEqual([]);
    expect((await press(id, "take", bob)).body).toMatchObject({ code: "cover_closed", state: "withdrawn" });
  });
});

describe("the covers of a group", () => {
  it.each([
    ["the person who accepted leaves the group", 0, carol],
    ["the person who accepted leaves the group during the shift", 49, carol],
    ["the person who asked leaves the group", 0, alice],
  ])("are withdrawn if %s", async (_, hours, userId) => {
    const { make, press, ask, groupId, overrides, later } = await startCovers();
    const { id } = await make();
    await press(id, "take", carol);
    await later(hours);

    await ask("DELETE", `/groups/${groupId}/members/${userId}`);

    const [cover] = (await ask<View[]>("GET", `/groups/${groupId}/on-call/covers`)).body;
    expect(cover).toMatchObject({ id, status: "withdrawn" });
    expect(await overrides()).toEqual([]);
  });

  it("are deleted when their group is deleted", async () => {
    const { make, press, ask, groupId } = await startCovers();
    const { id } = await make();

    await ask("DELETE", `/groups/${groupId}?force=true`);

    expect((await press(id, "take", carol)).status).toBe(404);
  });
});

describe("covers", () => {
  it("are listed to the person who asked for or accepted them, and to everybody who can accept them", async () => {
    const { make, press, ask, span } = await startCovers();
    const first = await make({ to: [bob] });
    const second = await make(span(60));
    await press(second.id, "take", carol);
    const listOwnCovers = async (as: string) =>
      (await ask<View[]>("GET", "/covers/mine", as)).body.map(({ id, canTake }) => [id, canTake]);

    expect(await listOwnCovers(alice)).toEqual([
      [first.id, false],
      [second.id, false],
    ]);
    expect(await listOwnCovers(bob)).toEqual([[first.id, true]]);
    expect(await listOwnCovers(carol)).toEqual([[second.id, false]]);
  });

  it("name the people who declined them", async () => {
    const { make, press } = await startCovers();
    const { id } = await make();

    expect((await press(id, "decline", bob)).body.declined).toEqual([bob]);
  });

  it.each([
    ["somebody who is not in the group", dave, "not_in_group"],
    ["the person whose shift it is", alice, "own_shift"],
  ])("cannot be declined by %s", async (_, as, reason) => {
    const { make, press } = await startCovers();
    const { id } = await make();

    expect((await press(id, "decline", as)).body).toMatchObject({ code: "cannot_cover", reason });
  });

  it("are in the audit trail of their group together with its overrides, with the names of both people", async () => {
    const { make, press, ask, groupId, override, span } = await startCovers();
    const { id } = await make();
    await press(id, "take", carol);
    const { body } = await override(bob, bob);
    await ask("DELETE", `/groups/${groupId}/on-call/overrides/${body.id}`, bob);

    type Entry = { action: string; target: object; after: object; onCall: object | null };
    const { items } = (await ask<{ items: Entry[] }>("GET", `/audit?target=${groupId}&limit=4`)).body;

    const target = { kind: "override", name: "Ops" };
    const own = { group: groupId, userId: bob };
    expect(items).toMatchObject([
      {
        action: "deleted",
        target,
        before: own,
        onCall: { changes: [{ before: [{ id: bob }], after: [{ id: alice }] }] },
      },
      {
        action: "created",
        target,
        after: own,
        onCall: { changes: [{ before: [{ id: alice }], after: [{ id: bob }] }] },
      },
      {
        action: "updated",
        target: { kind: "cover", id, name: "Ops" },
        after: { userId: alice, takenBy: carol, state: "taken" },
        onCall: {
          changes: [{ ...span(48), before: [{ id: alice, name: alice }], after: [{ id: carol, name: "Carol" }] }],
          more: 0,
        },
      },
      { target: { kind: "cover", id, name: "Ops" }, after: { userId: alice, state: "open" }, onCall: null },
    ]);
    // The entry has Alice's name, although none of the listed entries is by her.
    expect((await ask("GET", `/audit?target=${id}&limit=1`)).body).toMatchObject({ items: [items[2]] });
  });
});
