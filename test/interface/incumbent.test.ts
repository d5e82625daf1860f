import { beforeAll, describe, expect, it } from "vitest";
import { alice, bob } from "../support/people.ts";
import { startRota } from "../support/rota.ts";
import { type App, startApp } from "../world/app.ts";

type Row = { verdict: string; theirs: { person: string } | null; ours: { person: string } | null };
type Comparison = { items: { title: string; incumbent: object[]; people: Row[] }[] };

const createOpsgenieMessage = (action: string, alertFields: object = {}, messageFields: object = {}) => ({
  action,
  source: { name: "", type: "web" },
  alert: { alertId: "a-1", alias: "disk-2", message: "Disk full", username: "Bob@acme.example", ...alertFields },
  ...messageFields,
});
const createPagerDutyMessage = (type: string, at: string, fields: object) => ({
  event: {
    id: "e1",
    event_type: type,
    resource_type: "incident",
    occurred_at: at,
    agent: { id: "P1", summary: "Bob", type: "user_reference" },
    data: { id: "Q1", type: "incident", title: "Disk full", incident_key: "disk-1", assignees: [], ...fields },
  },
});

const tap = { status: "firing", labels: { alertname: "Tap open" }, fingerprint: "tap" };

describe("a webhook message of the old service", () => {
  let app: App;
  let rota: Awaited<ReturnType<typeof startRota>>;
  let key = "";
  beforeAll(async () => {
    app = await startApp();
    rota = await startRota(app);
    ({ key } = (await rota.ask<{ key: string }>("POST", "/api-keys", alice, { name: "Old" })).body);
    return () => app.close();
  });
  const sendWebhook = (source: string, body: object) =>
    app.ask<{ events: { eventId: string }[] }>(`/v1/events/from/${source}/v2/incumbent`, {
      method: "POST",
      apiKey: key,
      body,
    });
  const toTimeAfter = (seconds: number) => new Date(app.deps.now() + 1000 * seconds).toISOString();
  const sendShadowedEvent = async (title: string) => {
    await rota.ask("PUT", "/shadow", alice, { until: toTimeAfter(24 * 3600) });
    const body = { event: "disk.full", title, body: "b", dedupeKey: title };
    const { eventId } = (await app.ask<{ eventId: string }>("/v1/events", { method: "POST", apiKey: key, body })).body;
    await app.work();
    return eventId;
  };
  const readFirstComparison = async () => (await rota.ask<Comparison>("GET", "/shadow")).body.items[0]!;
  const countEvents = async () => (await rota.ask<{ total: number }>("GET", "/events")).body.total;

  it("creates no event if no shadow is in progress", async () => {
    const body = { event: "disk.full", title: "Disk full", body: "b", dedupeKey: "disk-1" };
    await app.ask("/v1/events", { method: "POST", apiKey: key, body });

    const answer = await sendWebhook("opsgenie", createOpsgenieMessage("Create"));

    expect(answer).toMatchObject({ status: 200, body: { events: [] } });
    expect(await countEvents()).toBe(1);
  });

  it("from Opsgenie is stored once with the event whose dedupeKey is its alias, and changes nothing else", async () => {
    const eventId = await sendShadowedEvent("disk-2");
    const before = await countEvents();

    await sendWebhook("opsgenie", createOpsgenieMessage("Create"));
    app.advance(60_000);
    await sendWebhook("opsgenie", createOpsgenieMessage("Acknowledge"));
    await sendWebhook("opsgenie", createOpsgenieMessage("Acknowledge"));
    await sendWebhook("opsgenie", createOpsgenieMessage("AddNote"));
    await sendWebhook("opsgenie", createOpsgenieMessage("Close", { username: "System" }));

    const { body } = await rota.ask<{ state: string; incumbent: object[] }>("GET", `/events/${eventId}`);
    expect(body.state).toBe("none");
    expect(body.incumbent).toMatchObject([
      { action: "triggered", by: null },
      { action: "acknowledged", by: "Bob@acme.example", notified: [] },
      { action: "closed", by: null },
    ]);
    expect(await countEvents()).toBe(before);
    expect((await readFirstComparison()).people.map(({ verdict, theirs }) => [verdict, theirs?.person])).toEqual([
      ["other person", "bob@acme.example"],
    ]);
  });

  it.each([
    [
      "opsgenie",
      "/v2/alerts",
      { message: "Tap open", alias: "tap" },
      createOpsgenieMessage("Close", { alias: "tap", message: "Tap" }),
    ],
    [
      "pagerduty",
      "/v2/enqueue",
      { event_action: "trigger", dedup_key: "tap", payload: { summary: "Tap open", source: "a", severity: "error" } },
      createPagerDutyMessage("incident.resolved", "", { incident_key: "tap", title: "Tap" }),
    ],
    [
      "grafana",
      "",
      { alerts: [tap] },
      { event: { type: "resolve" }, alert_group: { title: "Tap" }, alert_payload: { alerts: [tap] } },
    ],
  ])("of %s is assigned to the event that a tool sent for the same alert", async (source, path, alert, message) => {
    await sendShadowedEvent("Another");
    const sent = await app.ask<{ events: [{ eventId: string }] }>(`/v1/events/from/${source}${path}`, {
      method: "POST",
      apiKey: key,
      body: alert,
    });

    const { body } = await sendWebhook(source, message);

    expect(body.events.map(({ eventId }) => eventId)).toEqual([sent.body.events[0].eventId]);
  });

  it("of PagerDuty names the people to whom the incident was assigned, and finds the event by the incident's title", async () => {
    await sendShadowedEvent("Tank empty");

    await sendWebhook(
      "pagerduty",
      createPagerDutyMessage("incident.triggered", toTimeAfter(0), {
        title: "tank empty",
        assignees: [{ summary: "Bob" }],
      }),
    );
    await sendWebhook(
      "pagerduty",
      createPagerDutyMessage("incident.escalated", toTimeAfter(600), {
        title: "tank empty",
        assignees: [{ summary: "Carol" }],
      }),
    );

    const { incumbent, people } = await readFirstComparison();
    expect(incumbent).toMatchObject([
      { action: "triggered", notified: ["Bob"] },
      { action: "escalated", by: "Bob", notified: ["Carol"] },
    ]);
    expect(people.map(({ verdict, theirs }) => [verdict, theirs?.person])).toEqual([
      ["other person", "bob@acme.example"],
      ["nobody", "carol@acme.example"],
    ]);
  });

  it("from Grafana OnCall names the people whom Grafana OnCall has notified so far", async () => {
    await sendShadowedEvent("Pump off");

    await sendWebhook("grafana", {
      event: { type: "acknowledge", time: toTimeAfter(120) },
      user: { username: "bob", email: "Bob@acme.example" },
      alert_group: { title: "Pump off" },
      alert_payload: {},
      notified_users: [{ username: "bob", email: "Bob@acme.example" }],
    });

    expect((await readFirstComparison()).incumbent).toMatchObject([
      { action: "acknowledged", by: "Bob@acme.example", notified: ["Bob@acme.example"] },
    ]);
  });

  it.each([
    ["opsgenie", {}],
    ["pagerduty", { event: {} }],
    ["grafana", { event: { type: 1 } }],
  ])("is refused if it is not in the format of %s", async (source, body) => {
    expect((await sendWebhook(source, body)).status).toBe(422);
  });

  it("is refused without an API key", async () => {
    const url = "/v1/events/from/opsgenie/v2/incumbent";
    expect((await app.ask(url, { method: "POST", body: createOpsgenieMessage("Close"), as: bob })).status).toBe(401);
  });
});
