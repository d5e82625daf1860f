import * as v from "valibot";
import { beforeAll, describe, expect, it } from "vitest";
import { updateItem } from "../../core/store/table.ts";
import { alice, bob } from "../support/people.ts";
import { startRota } from "../support/rota.ts";
import { type App, startApp } from "../world/app.ts";

const DAY_MS = 24 * 3_600_000;

type Comparison = {
  active: boolean;
  items: { title: string; pages: { user: { id: string }; devices: { by: string }[] }[]; people: unknown[] }[];
};

describe("the shadow of a workspace", () => {
  let app: App;
  let rota: Awaited<ReturnType<typeof startRota>>;
  const timeAfterDays = (days: number) => new Date(app.deps.now() + days * DAY_MS).toISOString();
  beforeAll(async () => {
    app = await startApp();
    rota = await startRota(app, { [bob]: "manager" });
    return () => app.close();
  });

  it("has no events before the first shadow begins", async () => {
    const { body } = await rota.ask("GET", "/shadow");
    expect(body).toEqual({ since: null, until: null, active: false, items: [], nextCursor: null });
  });

  it.each([
    [14, 200],
    [14.001, 422],
    [-0.001, 422],
  ])("must end within the next 14 days: an end in %s days gets the status %i", async (days, status) => {
    expect((await rota.ask("PUT", "/shadow", alice, { until: timeAfterDays(days) })).status).toBe(status);
  });

  it("is begun and ended by owners only", async () => {
    expect((await rota.ask("PUT", "/shadow", bob, { until: timeAfterDays(1) })).status).toBe(403);
    expect((await rota.ask("DELETE", "/shadow", bob)).status).toBe(403);
  });

  it("keeps its start when its end is changed, and every member sees both times", async () => {
    const first = (await rota.ask<{ since: string }>("PUT", "/shadow", alice, { until: timeAfterDays(1) })).body;
    app.advance(1000);
    const end = timeAfterDays(2);

    const { body } = await rota.ask("PUT", "/shadow", alice, { until: end });

    expect(body).toEqual({ since: first.since, until: end });
    expect((await rota.ask("GET", "", bob)).body).toMatchObject({ shadow: { since: first.since, until: end } });
  });

  it("shows its comparison with the other service before and after its end, and the audit trail names who ended it", async () => {
    const { key } = (await rota.ask<{ key: string }>("POST", "/api-keys", alice, { name: "Tool" })).body;
    const event = { event: "disk.full", title: "Disk full", body: "b" };
    await app.ask("/v1/events", { method: "POST", apiKey: key, body: event });
    await app.work();
    const during = (await rota.ask<Comparison>("GET", "/shadow", bob)).body;
    const ended = await rota.ask("DELETE", "/shadow");

    const after = (await rota.ask<Comparison>("GET", "/shadow", bob)).body;

    expect(during.active).toBe(true);
    expect(during.items).toMatchObject([
      { title: "Disk full", pages: [{ user: { id: alice }, devices: [{ by: "fcm" }] }], people: [] },
    ]);
    expect([ended.status, after.active, after.items.length]).toEqual([204, false, 1]);
    const audit = (await rota.ask<{ items: unknown[] }>("GET", "/audit?target=workspace&limit=1")).body;
    expect(audit.items).toMatchObject([
      { actor: { id: alice }, action: "updated", before: { shadow: { until: expect.any(String) as string } } },
    ]);
  });

  it("begins anew after it has ended, and its comparison lists only events since then", async () => {
    await rota.ask("DELETE", "/shadow");
    await rota.send();
    const key = { pk: `WS#${rota.ws}`, sk: "CONTROL" };
    await updateItem(app.deps, key, v.unknown(), { update: "ADD seq :many", values: { ":many": 300 } });
    await rota.send();
    app.advance(1000);
    const since = new Date(app.deps.now()).toISOString();

    await rota.ask("PUT", "/shadow", alice, { until: timeAfterDays(1) });

    await rota.send();
    const { body } = await rota.ask("GET", "/shadow");
    expect(body).toMatchObject({ since, items: [{ title: "Order failed" }], nextCursor: null });
  });
});
