import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../core/domain/basics/units.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice } from "../support/people.ts";

const { app, ask, get, send } = await startFilled();

type Answer = { id: string; code?: string; detail?: string; replayed?: number };
const mona = "usr_00000000000000000000000000000022";
await ask("POST", "/members", { userId: mona, name: "Mona", email: "mona@acme.example" }, alice);

const trail = { name: "Trail", url: "https://trail.example.com/hook", types: ["audit.recorded"] };
const createWebhook = (body: object, as: string) => ask<Answer>("POST", "/webhooks", body, as);
const changeWebhook = (id: string, body: object, as: string) => ask<Answer>("PATCH", `/webhooks/${id}`, body, as);
const refused = { status: 403, body: { code: "role_required", detail: expect.stringContaining("of the audit trail") } };
const span = { from: "2026-11-01T00:00:00.000Z", to: "2027-12-01T00:00:00.000Z" };

const listSentTypes = async (host: string): Promise<string[]> => {
  app.posted.length = 0;
  // One sweep queues the new entries, and the next one sends them.
  for (let round = 0; round < 3; round += 1) {
    app.advance(60_000);
    await app.escalate();
    await app.tellWebhooks();
  }
  return app.posted
    .filter(({ url }) => new URL(url).host === host)
    .map(({ body }) => (JSON.parse(body) as { type: string }).type);
};

describe("a webhook that receives the audit trail", () => {
  it("can be created and read by owners, but not by managers", async () => {
    expect(await createWebhook(trail, mona)).toMatchObject(refused);
    expect(await createWebhook(trail, alice)).toMatchObject({ status: 201 });
    expect(await createWebhook({ ...trail, name: "Duty", types: ["oncall.changed"] }, mona)).toMatchObject({
      status: 201,
    });
  });

  it("cannot be created by a manager who changes the types of another webhook", async () => {
    const duty = await createWebhook({ ...trail, name: "Shifts", types: ["oncall.changed"] }, mona);
    expect(await changeWebhook(duty.body.id, { paused: true }, mona)).toMatchObject({ status: 200 });
    expect(await changeWebhook(duty.body.id, { types: ["oncall.changed", "audit.recorded"] }, mona)).toMatchObject(
      refused,
    );
    expect(await changeWebhook(duty.body.id, { types: ["audit.recorded"] }, alice)).toMatchObject({ status: 200 });
  });

  it.each<[string, "POST" | "PATCH" | "DELETE", string, object | undefined]>([
    ["change of its URL", "PATCH", "", { url: "https://mona.example.com/hook" }],
    ["change of its message types", "PATCH", "", { types: ["event.opened"] }],
    ["pause of its deliveries", "PATCH", "", { paused: true }],
    ["request for a new secret", "POST", "/secret", {}],
    ["request for a test message", "POST", "/test", {}],
    ["request for a replay of past messages", "POST", "/replay", span],
    ["deletion", "DELETE", "", undefined],
  ])("refuses a manager's %s, also for 30 days after it stopped receiving the trail", async (_, method, path, body) => {
    const { id } = (await createWebhook({ ...trail, name: "Board" }, alice)).body;

    expect(await ask("GET", `/webhooks/${id}`, undefined, mona)).toMatchObject({ status: 200 });
    expect(await ask(method, `/webhooks/${id}${path}`, body, mona)).toMatchObject(refused);
    expect(await changeWebhook(id, { types: ["event.opened", "event.resolved"] }, alice)).toMatchObject({
      status: 200,
    });
    expect(await ask(method, `/webhooks/${id}${path}`, body, mona)).toMatchObject(refused);
    expect((await ask(method, `/webhooks/${id}${path}`, body, alice)).status).toBeLessThan(300);
  });

  it("can be changed by managers again 30 days after it stopped receiving the audit trail", async () => {
    const { id } = (await createWebhook({ ...trail, name: "Later" }, alice)).body;
    await changeWebhook(id, { types: ["event.opened"] }, alice);

    app.advance(30 * DAY_MS);

    expect(await changeWebhook(id, { paused: true }, mona)).toMatchObject({ status: 200 });
  });

  it("is not sent messages, new or replayed, of a type that it no longer receives", async () => {
    const url = "https://types.example.com/hook";
    const { id } = (
      await createWebhook(
        { ...trail, name: "Types", url, types: ["audit.recorded", "event.opened"], eventKeys: ["stock.out"] },
        alice,
      )
    ).body;
    const down = (await createWebhook({ ...trail, name: "Down", url: "https://down.example.com/hook" }, alice)).body;
    await send({ event: "stock.out", title: "Out of stock", body: "None" });
    await app.work();
    await ask("POST", "/groups", { name: "Recorded" });
    expect(new Set(await listSentTypes("types.example.com"))).toEqual(new Set(["event.opened", "audit.recorded"]));

    await changeWebhook(id, { paused: true }, alice);
    await ask("POST", "/groups", { name: "Waits" });
    expect(await listSentTypes("types.example.com")).toEqual([]);
    await changeWebhook(id, { types: ["event.opened"], paused: false }, alice);
    expect(await listSentTypes("types.example.com")).toEqual([]);

    expect(await ask<Answer>("POST", `/webhooks/${id}/replay`, span)).toMatchObject({ body: { replayed: 1 } });
    expect(await listSentTypes("types.example.com")).toEqual(["event.opened"]);
    const list = `/webhooks/${id}/deliveries`;
    const first = await ask<{ items: object[] }>("GET", `${list}?limit=1`);
    const next = await get<{ items: object[] }>(list + (/<(.+)>/.exec(first.headers["Link"] ?? "")?.[1] ?? ""));
    const all = await get<{ items: object[] }>(list);
    expect([...first.body.items, ...next.items]).toEqual(all.items.slice(0, 2));
    expect(await get("/webhooks")).toContainEqual(await get(`/webhooks/${down.id}`));
    expect(await ask("POST", `/webhooks/${down.id}/secret`, {}, alice)).toMatchObject({
      body: { lastFailure: { code: "ECONNREFUSED" } },
    });
    expect(all).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ type: "audit.recorded", status: "failed", code: "UNWANTED" }),
      ]),
    });
  });
});

describe("a test or replay", () => {
  type Trail = { items: { action: string; target: object; after: object | null; actor: object }[] };

  it("of a webhook is recorded in the audit trail", async () => {
    const { id } = (await createWebhook({ ...trail, name: "Tried", types: ["event.opened"] }, mona)).body;
    await ask("POST", `/webhooks/${id}/test`, {}, mona);
    await ask("POST", `/webhooks/${id}/replay`, span, mona);

    const actor = { id: mona, name: "Mona" };
    expect(await get<Trail>(`/audit?target=${id}&limit=2`)).toMatchObject({
      items: [
        { action: "replayed", actor, target: { kind: "webhook", id, name: "Tried" }, after: span },
        { action: "tested", actor, target: { kind: "webhook", id, name: "Tried" }, before: null, after: null },
      ],
    });
  });

  it("of a connection is recorded in the audit trail, unless it was refused because another test came just before", async () => {
    const { id } = (
      await ask<Answer>("POST", "/connections", { name: "Tested", kind: "slack", channel: "C0000000009" }, mona)
    ).body;
    await ask("POST", `/connections/${id}/test`, {}, mona);
    expect(await ask("POST", `/connections/${id}/test`, {}, mona)).toMatchObject({ status: 429 });

    expect((await get<Trail>(`/audit?target=${id}`)).items.map(({ action }) => action)).toEqual(["tested", "created"]);
  });
});
