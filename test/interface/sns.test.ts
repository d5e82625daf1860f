import { createServer } from "node:http";
import { afterAll, describe, expect, it } from "vitest";
import { createJsonLog } from "../../core/log.ts";
import { createPostFromSource } from "../../functions/doors/post-from-source.ts";
import type { HttpHandler } from "../../functions/http/endpoint.ts";
import { routes } from "../../interface/routes.ts";
import { createGateway } from "../../local/http/gateway.ts";
import { listenLocally } from "../../local/listen.ts";
import { findCanaries } from "../support/canaries.ts";
import { startFilled } from "../support/filled-app.ts";
import { createSns, TOPIC } from "../support/sns.ts";

/* Subscribes to SNS over HTTP, as docs/sources.md says. The gateway renames and drops headers like AWS's HTTP APIs. */

const { app, mine, ask, get } = await startFilled();
// Sets the clock to a time at which the stand-in's certificate, which was just created, is valid.
app.advance(Date.now() + 60_000 - app.deps.now());
await ask("PATCH", "", { snsTopics: [TOPIC] });

const lines: string[] = [];
const log = createJsonLog({ write: (line) => lines.push(line), now: () => 0, stage: "test", traceId: () => "1-trace" });

const startGateway = async (sns: ReturnType<typeof createSns>) => {
  const handler: HttpHandler = createPostFromSource({ ...app.deps, log, fetchText: sns.fetchText });
  const gateway = createGateway({
    api: {
      id: "api",
      routes: routes
        .filter(({ entry }) => entry === "events/post-from-source")
        .map(({ method, path }) => ({
          method,
          path,
          functionName: "post-from-source",
          timeoutMs: 10_000,
          authorizer: undefined,
          permitted: true,
          throttle: undefined,
        })),
      selves: [],
      cors: undefined,
      throttle: undefined,
    },
    keys: [],
    runtime: {
      invoke: async (_name, _id, event) => ({ kind: "ok", payload: JSON.stringify(await handler(event, {})) }),
    },
    onProblem: (message) => expect.unreachable(message),
  });
  const listener = await listenLocally(createServer(gateway), 0);
  afterAll(() => listener.close());
  return listener.url;
};

type NewKey = { id: string; key: string; url: string };
const createKey = async (body: object): Promise<NewKey> => (await ask<NewKey>("POST", "/api-keys", body)).body;
const createUrlOnServer = (base: string, { url }: NewKey): string => `${base}${new URL(url).pathname}`;

let changes = 0;
const createAlarmChange = (name: string, state: "ALARM" | "OK") => ({
  AlarmName: name,
  AlarmArn: `arn:aws:cloudwatch:eu-west-1:123456789012:alarm:${name}`,
  NewStateValue: state,
  NewStateReason: "Threshold crossed",
  // CloudWatch writes UTC as "+0000".
  StateChangeTime: new Date(app.deps.now() - 600_000 + (changes += 1) * 1000).toISOString().replace("Z", "+0000"),
});
type Listed = { items: { id: string; eventKey: string; title: string }[] };
/** Lists the states of the alarm, the oldest first. */
const listStates = async (name: string) => {
  await app.work();
  const { items } = await get<Listed>("/events");
  const raised = items.filter(({ eventKey, title }) => eventKey === "cloudwatch.firing" && title === name);
  const states = raised.map(async ({ id }) => (await get<{ state: string }>(`/events/${id}`)).state);
  return (await Promise.all(states)).toReversed();
};

describe("a subscription request of SNS", () => {
  it("with the API key as the URL's password is never confirmed, because SNS gets no authentication challenge", async () => {
    const sns = createSns({});
    const base = await startGateway(sns);

    const { outcome, attempts } = await sns.subscribe(
      `${base.replace("//", `//key:${mine.key}@`)}/v1/events/from/cloudwatch`,
    );

    expect({ outcome, attempts }).toEqual({ outcome: "refused", attempts: [{ authorized: false, status: 401 }] });
    expect(sns.isConfirmed()).toBe(false);
  });

  it.each([
    ["1", false],
    ["2", false],
    ["2", true],
  ] as const)(
    "to the URL of an API key is confirmed, and its alarms arrive (signature version %s, raw delivery: %s)",
    async (signatureVersion, raw) => {
      const sns = createSns({ signatureVersion, raw });
      const made = await createKey({ name: "CloudWatch", source: "cloudwatch" });
      const name = `queue-${signatureVersion}-${raw}`;

      const subscribed = await sns.subscribe(createUrlOnServer(await startGateway(sns), made));
      expect(subscribed).toEqual({ outcome: "taken", attempts: [{ authorized: false, status: 200 }] });
      expect(sns.isConfirmed()).toBe(true);

      const alarm = sns.message(createAlarmChange(name, "ALARM"), `ALARM: "${name}"`);
      expect(await sns.deliver(alarm)).toMatchObject({ attempts: [{ status: 201 }] });
      expect(await sns.deliver(alarm)).toMatchObject({ attempts: [{ status: 200 }] });
      expect(await listStates(name)).toEqual(["open"]);
      await sns.deliver(sns.message(createAlarmChange(name, "OK")));
      expect(await listStates(name)).toEqual(["resolved"]);
    },
  );

  it("that was confirmed has no effect after its API key is deleted: messages are refused", async () => {
    const sns = createSns({});
    const made = await createKey({ name: "CloudWatch", source: "cloudwatch" });
    await sns.subscribe(createUrlOnServer(await startGateway(sns), made));

    await ask("DELETE", `/api-keys/${made.id}`);

    expect(await sns.deliver(sns.message(createAlarmChange("gone", "ALARM")))).toMatchObject({
      outcome: "refused",
      attempts: [{ status: 401 }],
    });
  });
});

describe("the URL of an API key for a tool", () => {
  const post = (path: string, headers: Record<string, string> = {}) =>
    app.ask<{ code?: string }>(path, { method: "POST", headers, body: { event_action: "acknowledge", alerts: [] } });

  it("is shown once, and the key names its source", async () => {
    const { url, key, ...listed } = await createKey({ name: "Grafana", source: "grafana" });

    expect(url).toBe(`https://localhost/v1/events/from/grafana/${key}`);
    expect(listed).toMatchObject({ name: "Grafana", source: "grafana" });
    expect(await get(`/api-keys/${listed.id}`)).toEqual(listed);
    expect(await get("/api-keys")).toContainEqual(listed);
  });

  it("accepts only the messages of its tool", async () => {
    const { url, key } = await createKey({ name: "Grafana", source: "grafana" });
    const path = new URL(url).pathname;
    const event = { event: "order.failed", title: "t", body: "b" };

    expect((await post(path)).status).toBe(200);
    expect((await post("/v1/events/from/grafana", { "x-api-key": key })).status).toBe(200);
    expect((await app.ask("/v1/events/ping", { apiKey: key })).status).toBe(200);
    const others = [
      await post(path.replace("from/grafana", "from/alertmanager")),
      await post("/v1/events/from/alertmanager", { "x-api-key": key }),
      await app.ask("/v1/events", { method: "POST", apiKey: key, body: event }),
      await app.ask("/v1/events", { method: "POST", apiKey: key, body: {} }),
    ];
    expect(others.map(({ status, body }) => [status, (body as { code: string }).code])).toEqual(
      others.map(() => [403, "key_scope"]),
    );
  });

  it("is refused without a read of the table if it is mistyped, or if its key belongs to no tool", async () => {
    const { url } = await createKey({ name: "Grafana", source: "grafana" });
    const path = new URL(url).pathname;
    const wrong = [
      path.slice(0, -1),
      `${path}x`,
      path.replace("_grafana_", "_"),
      `/v1/events/from/grafana/${mine.key}`,
    ];

    app.stand.usedActions();
    const answers = [];
    for (const one of wrong) answers.push(await post(one));

    expect([...app.stand.usedActions()]).toEqual([]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  it("never appears in a log, whether the request succeeds or fails", async () => {
    const sns = createSns({});
    const base = await startGateway(sns);
    const made = await createKey({ name: "CloudWatch", source: "cloudwatch" });
    const send = (body: string) =>
      fetch(createUrlOnServer(base, made), { method: "POST", body }).then(({ status }) => status);
    lines.length = 0;

    await sns.subscribe(createUrlOnServer(base, made));
    const statuses = [await send("{}"), await send("{"), await send(JSON.stringify(createAlarmChange("log", "ALARM")))];
    const { client } = app.deps.table;
    const { send: real } = client;
    client.send = (async () => Promise.reject(new Error("socket hang up"))) as typeof real;
    statuses.push(await send("{}"));
    client.send = real;

    expect(statuses).toEqual([422, 400, 201, 500]);
    expect(lines.join("\n")).toContain("event.accepted");
    expect(lines.join("\n")).toContain("http.failed");
    expect(findCanaries(lines.join("\n"), { url: made.url, key: made.key })).toEqual([]);
  });
});
