import { beforeAll, describe, expect, it } from "vitest";
import type { Method } from "../../interface/contract.ts";
import type { Answer } from "../world/http.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice, bob } from "../support/people.ts";

/* Two people read the same item and change it. A change that the second person did not see must not be overwritten. */

const { app, mine, send } = await startFilled();
const root = `/v1/workspaces/${mine.workspaceId}`;

type Body = Record<string, unknown> & { id: string; version?: number; code?: string };

const ask = (method: Method, path: string, body?: object, ifMatch?: string): Promise<Answer<Body>> =>
  app.ask<Body>(`${root}${path}`, {
    method,
    as: alice,
    ...(body === undefined ? {} : { body }),
    ...(ifMatch === undefined ? {} : { headers: { "if-match": ifMatch } }),
  });

type Thing = {
  noun: string;
  /** How the item is created; absent for an item that always exists. */
  create?: { path: string; body: object };
  at: (id: string) => string;
  /** One change by each of the two people. */
  changes?: readonly [object, object];
  put?: true;
};

const target = { type: "group", groupId: mine.groupId };
const condition = { field: "data.disk", operator: "greater_than", value: 90 };
const createSchedule = (participants: string[]) => ({
  timeZone: "Europe/Berlin",
  layers: [{ start: "2026-03-02T09:00", every: 1, unit: "week", participants }],
});

const things: readonly Thing[] = [
  {
    noun: "routing rule",
    create: {
      path: "/routing-rules",
      body: { name: "Disks", eventKey: "disk.*", targets: [target], conditions: [condition] },
    },
    at: (id) => `/routing-rules/${id}`,
    changes: [{ name: "Full disks" }, { enabled: false }],
  },
  {
    noun: "escalation policy",
    create: {
      path: "/escalation-policies",
      body: { name: "Soon", repeat: 0, steps: [{ delayMinutes: 5, targets: [target] }] },
    },
    at: (id) => `/escalation-policies/${id}`,
    changes: [{ name: "Sooner" }, { repeat: 2 }],
  },
  {
    noun: "group",
    create: { path: "/groups", body: { name: "Night" } },
    at: (id) => `/groups/${id}`,
    changes: [{ name: "Night shift" }, { name: "Nights" }],
  },
  {
    noun: "silence",
    create: {
      path: "/silences",
      body: { name: "Upgrade", eventKey: "disk.*", endsAt: "2030-01-01T00:00:00Z", conditions: [condition] },
    },
    at: (id) => `/silences/${id}`,
    changes: [{ name: "Upgrades" }, { includeUrgent: true }],
  },
  {
    noun: "heartbeat",
    create: { path: "/heartbeats", body: { name: "Backup", everySeconds: 3600 } },
    at: (id) => `/heartbeats/${id}`,
    changes: [{ name: "Backups" }, { graceSeconds: 300 }],
  },
  { noun: "API key", create: { path: "/api-keys", body: { name: "CI" } }, at: (id) => `/api-keys/${id}` },
  { noun: "workspace", at: () => "", changes: [{ name: "Acme Inc." }, { openToAcknowledge: true }] },
  {
    noun: "schedule",
    at: () => `/groups/${mine.groupId}/on-call`,
    changes: [createSchedule([alice]), createSchedule([alice, bob])],
    put: true,
  },
];

const createThing = async ({ create, at }: Thing): Promise<string> => {
  if (create === undefined) return at("");
  const { body, status, headers } = await ask("POST", create.path, create.body);
  expect({ status, tag: headers["ETag"] }).toEqual({ status: 201, tag: '"1"' });
  return at(body.id);
};

describe.each(things.filter(({ changes }) => changes !== undefined))("concurrent changes of one $noun:", (thing) => {
  const [one, other] = thing.changes!;
  const method = thing.put === true ? "PUT" : "PATCH";
  let path: string;
  beforeAll(async () => {
    path = await createThing(thing);
  });

  it("a change by a person who did not see the other change is refused, and the other change is kept", async () => {
    const read = (await ask("GET", path)).headers["ETag"]!;

    const first = await ask(method, path, one, read);
    const second = await ask(method, path, other, read);

    expect(first.status).toBe(200);
    expect(first.headers["ETag"]).not.toBe(read);
    const version = Number(first.headers["ETag"]!.slice(1, -1));
    expect(second).toMatchObject({ status: 412, body: { code: "changed_meanwhile", version } });
    expect(second.body["detail"]).toMatch(/Read it again/);
    const now = await ask("GET", path);
    expect(now.headers["ETag"]).toBe(first.headers["ETag"]);
    expect(now.body).toMatchObject(one);
    expect((await ask(method, path, other, now.headers["ETag"])).status).toBe(200);
  });

  it("the same change repeated after a lost answer is accepted, and creates no new version", async () => {
    const { headers } = await ask(method, path, one);
    const again = await ask(method, path, one);
    const late = await ask(method, path, one, '"1"');

    expect([again, late].map(({ status }) => status)).toEqual([200, 200]);
    expect([again.headers["ETag"], late.headers["ETag"]]).toEqual([headers["ETag"], headers["ETag"]]);
  });

  it("unchanged fields are accepted, and create no new version", async () => {
    const before = await ask("GET", path);

    const sent = await ask(method, path, before.body, before.headers["ETag"]);

    expect({ status: sent.status, errors: sent.body["errors"] }).toEqual({ status: 200, errors: undefined });
    expect(sent.headers["ETag"]).toBe(before.headers["ETag"]);
    const written = await ask(method, path, sent.body);
    expect(written.headers["ETag"]).toBe(before.headers["ETag"]);
    expect((await ask("GET", path)).body).toEqual(before.body);
  });

  it("a body that was read before another change is refused as a conflict, and not for its old version field", async () => {
    const before = await ask("GET", path);
    app.advance(1000);
    await ask(method, path, thing.put === true ? createSchedule([bob, alice]) : { name: "Meanwhile" });
    const mine = { ...before.body, ...(thing.put === true ? createSchedule([bob]) : { name: "Late" }) };

    const late = await ask(method, path, mine, before.headers["ETag"]);

    expect(late).toMatchObject({ status: 412, body: { code: "changed_meanwhile" } });
  });

  it("changed read-only fields and unknown fields are refused", async () => {
    const { body } = await ask("GET", path);
    const id = thing.put === true ? "groupId" : "id";

    const changed = await ask(method, path, { ...body, [id]: "grp_other" });
    const unknown = await ask(method, path, { ...body, nmae: "x" });

    expect(changed).toMatchObject({ status: 422, body: { errors: [{ field: id }] } });
    expect(unknown).toMatchObject({ status: 422, body: { errors: [{ field: "nmae" }] } });
  });

  it("one of two simultaneous writes succeeds", async () => {
    const { headers } = await ask("GET", path);
    const [apart, together] =
      thing.put === true ? [createSchedule([alice, bob]), createSchedule([bob])] : [{ name: "A" }, { name: "B" }];

    const answers = await Promise.all([apart, together].map((change) => ask(method, path, change, headers["ETag"])));

    expect(answers.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 412]);
  });

  it("If-Match may be a star, a list of versions, or a tag that a proxy made weak", async () => {
    const turns =
      thing.put === true ? [createSchedule([alice]), createSchedule([bob])] : [{ name: "Here" }, { name: "There" }];
    for (const [turn, tagged] of [(tag: string) => `W/${tag}`, (tag: string) => `"999", ${tag}`, () => "*"].entries()) {
      const tag = (await ask("GET", path)).headers["ETag"]!;

      const answer = await ask(method, path, turns[turn % 2], tagged(tag));

      expect(answer).toMatchObject({ status: 200 });
      expect(answer.headers["ETag"]).not.toBe(tag);
    }
  });
});

describe.each(things.filter(({ create }) => create !== undefined))("deleting one $noun", (thing) => {
  it("is refused to a person who saw another version of it", async () => {
    const path = await createThing(thing);

    const refused = await ask("DELETE", path, undefined, '"7"');

    expect(refused).toMatchObject({ status: 412, body: { code: "changed_meanwhile", version: 1 } });
    expect((await ask("GET", path)).headers["ETag"]).toBe('"1"');
    expect((await ask("DELETE", path, undefined, '"1"')).status).toBe(204);
    expect((await ask("GET", path)).status).toBe(404);
  });
});

it("an If-Match header without quotes is refused with an explanation", async () => {
  const answer = await ask("PATCH", "", { name: "Acme" }, "3");

  expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: "If-Match" }] } });
});

it("a group's first schedule is accepted without If-Match, and refused with a version in If-Match", async () => {
  const { body } = await ask("POST", "/groups", { name: "New" });

  expect(await ask("PUT", `/groups/${body.id}/on-call`, createSchedule([alice]), '"1"')).toMatchObject({ status: 412 });
  expect(await ask("PUT", `/groups/${body.id}/on-call`, createSchedule([alice]))).toMatchObject({ status: 200 });
});

it("a rule change without an effect keeps the version that the rule's events refer to", async () => {
  const path = `/routing-rules/${mine.ruleId}`;
  const before = (await ask("GET", path)).body.version;

  await ask("PATCH", path, { name: "All" });
  const eventId = await send({ event: "disk.full", title: "Full", body: "Full." });

  expect((await ask("GET", path)).body.version).toBe(before);
  expect(eventId).toMatch(/^evt_/);
});
