import assert from "node:assert/strict";
import * as v from "valibot";
import { createSection } from "../check.ts";
import { retryUntilSuccess, expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { Event, EventPage, EventsTaken, NewApiKey } from "../shapes.ts";
import { createGroup, createRule, waitForSent, type WorkspaceClient, type World } from "../world.ts";

/** Returns an alert in the format of Alertmanager. */
const toAlert = (name: string, status: string, otherFields: object = {}) => ({
  status,
  labels: { alertname: name, severity: "critical", instance: "db-1" },
  annotations: { summary: `${name} of db-1`, description: "It has been so for ten minutes." },
  startsAt: "2026-11-21T12:00:00Z",
  endsAt: "0001-01-01T00:00:00Z",
  generatorURL: "http://prometheus.example:9090/graph",
  fingerprint: `fingerprint-of-${name}`,
  ...otherFields,
});
/** Returns a message in the format of Alertmanager. */
const toMessage = (...alerts: object[]) => ({ version: "4", status: "firing", receiver: "alerts", alerts });

const postFromSource = (
  { client }: World,
  workspace: Pick<WorkspaceClient, "apiKey">,
  source: string,
  body: unknown,
  headers = {},
) => client("POST", `/v1/events/from/${source}`, { apiKey: workspace.apiKey, body, headers });

const countEvents = async (workspace: WorkspaceClient, query = ""): Promise<number> =>
  (await workspace.read(`/events${query}`, EventPage)).total;

export const sources = [
  ...createSection("Events from other tools", {
    "creates an event for a firing alert, and resolves it when the alert is resolved": async (world) => {
      const workspace = await world.fresh();
      const fired = expectBody(
        await postFromSource(world, workspace, "alertmanager", toMessage(toAlert("Cpu", "firing"))),
        201,
        EventsTaken,
      );
      const [first] = fired.events;
      const event = await workspace.read(`/events/${first?.eventId}`, Event);
      assert.deepEqual(
        [event.eventKey, event.title, event.priority, event.url],
        ["alertmanager.firing", "Cpu of db-1", "URGENT", "http://prometheus.example:9090/graph"],
      );
      assert.equal(JSON.parse(JSON.stringify(event.data))["labels.instance"], "db-1");
      assert.ok(event.dedupeKey !== null);
      const ended = await postFromSource(world, workspace, "alertmanager", toMessage(toAlert("Cpu", "resolved")));
      assert.equal(expectBody(ended, 201, EventsTaken).events[0]?.eventKey, "alertmanager.resolved");
    },
    "creates forty events from forty alerts in one request, and none from a repeat": async (world) => {
      const workspace = await world.fresh();
      const payload = toMessage(...Array.from({ length: 40 }, (_, index) => toAlert(`Alert${index}`, "firing")));
      const made = expectBody(await postFromSource(world, workspace, "alertmanager", payload), 201, EventsTaken);
      assert.equal(new Set(made.events.map(({ eventId }) => eventId)).size, 40);
      const again = expectBody(await postFromSource(world, workspace, "alertmanager", payload), 200, EventsTaken);
      assert.deepEqual(
        again.events.map(({ eventId, deduplicated }) => [eventId, deduplicated]),
        made.events.map(({ eventId }) => [eventId, true]),
      );
      assert.equal(await countEvents(workspace, "?eventKey=alertmanager.*"), 40);
    },
    "accepts, matches and sends the messages of every tool": async (world) => {
      const workspace = await world.fresh();
      const groupId = await createGroup(workspace, workspace.people.slice(0, 1));
      await createRule(workspace, { eventKey: "*", groupId });
      const payloads: Record<string, object> = {
        grafana: toMessage(toAlert("Cpu", "firing")),
        cloudwatch: { AlarmName: "dead-letters", NewStateValue: "ALARM", NewStateReason: "3 > 0" },
        sentry: { action: "created", data: { issue: { id: "1", title: "TypeError", level: "error" } } },
        github: {
          action: "completed",
          workflow_run: { id: 1, name: "CI", conclusion: "failure" },
          repository: { full_name: "a/b" },
        },
        "uptime-kuma": { msg: "down", heartbeat: { status: 0, msg: "refused" }, monitor: { id: 1, name: "Shop" } },
        opsgenie: { message: "Disk full", alias: "disk", priority: "P1" },
        pagerduty: {
          event_action: "trigger",
          dedup_key: "disk",
          payload: { summary: "Disk full", source: "db-1", severity: "error" },
        },
        gitlab: {
          object_kind: "pipeline",
          object_attributes: { id: 31, ref: "main", status: "failed" },
          project: { path_with_namespace: "a/b" },
        },
        zabbix: { event_id: "7", event_value: "1", event_name: "Disk full", event_nseverity: "4" },
        datadog: { title: "[Triggered] Disk full", alert_id: "7", alert_transition: "Triggered" },
        "azure-monitor": {
          schemaId: "azureMonitorCommonAlertSchema",
          data: { essentials: { alertId: "/alerts/7", alertRule: "Disk full", monitorCondition: "Fired" } },
        },
        "google-cloud-monitoring": {
          version: "1.2",
          incident: { incident_id: "7", state: "open", policy_name: "Disk full" },
        },
      };
      for (const [source, payload] of Object.entries(payloads)) {
        const status = source === "opsgenie" || source === "pagerduty" ? 202 : 201;
        const taken = expectBody(
          await postFromSource(world, workspace, source, payload, { "content-type": "text/plain" }),
          status,
          EventsTaken,
        );
        assert.equal(taken.events[0]?.eventKey, `${source.replaceAll("-", "_")}.firing`);
        const notified = await waitForSent(workspace, taken.events[0]?.eventId ?? "");
        assert.equal(notified.length, 1, source);
      }
    },
    "accepts any other tool with a key that has a mapping, and refuses it without one": async (world) => {
      const workspace = await world.fresh();
      const mapping = {
        resource: "my_tool",
        alerts: "alerts",
        title: ["name"],
        dedupeKey: ["id"],
        resolved: { path: "state", is: ["ok"] },
      };
      expectFaults(await workspace.ask("POST", "/api-keys", { name: "Tool", source: "mapped" }), "mapping");
      const made = await workspace.ask("POST", "/api-keys", { name: "Tool", source: "mapped", mapping });
      const { url = "" } = expectBody(made, 201, NewApiKey);
      const post = (body: object) => world.client("POST", new URL(url).pathname, { body });
      const fired = expectBody(await post({ alerts: [{ id: 1, name: "Disk full", state: "bad" }] }), 201, EventsTaken);
      assert.equal(fired.events[0]?.eventKey, "my_tool.firing");
      const ended = expectBody(await post({ alerts: [{ id: 1, name: "Disk full", state: "ok" }] }), 201, EventsTaken);
      const readFirstEvent = async ({ events }: typeof ended) => workspace.read(`/events/${events[0]?.eventId}`, Event);
      assert.equal((await readFirstEvent(ended)).resolves, (await readFirstEvent(fired)).dedupeKey);
      expectFaults(await post({ name: "Disk full" }), "alerts");
      expectProblem(await post([{ name: "Disk full" }]), 400, "malformed_json");
      expectProblem(await postFromSource(world, workspace, "mapped", {}), 403, "key_scope");
    },
    "reads by a mapping what fires and what resolves, also in lists and forms": async ({ client, fresh }) => {
      const workspace = await fresh();
      const states = { firing: { path: "state", is: ["down"] }, resolved: { path: "state", is: ["up"] } };
      const mapping = {
        resource: "my_tool",
        each: true,
        title: [{ join: ["host", "check"] }],
        dedupeKey: ["host"],
        ...states,
      };
      const made = await workspace.ask("POST", "/api-keys", { name: "Tool", source: "mapped", mapping });
      const path = new URL(expectBody(made, 201, NewApiKey).url ?? "").pathname;
      const down = { host: "db-1", check: "disk", state: "down" };
      const taken = expectBody(
        await client("POST", path, { body: [down, { ...down, state: "pending" }] }),
        201,
        EventsTaken,
      );
      assert.deepEqual(
        taken.events.map(({ eventKey }) => eventKey),
        ["my_tool.firing"],
      );
      const event = await workspace.read(`/events/${taken.events[0]?.eventId}`, Event);
      assert.equal(event.title, "db-1: disk");
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const ended = await client("POST", path, { body: "host=db-1&check=disk&state=up", headers });
      assert.equal(expectBody(ended, 201, EventsTaken).events[0]?.eventKey, "my_tool.resolved");
    },
    "answers Event Grid's validation with its code, and accepts its events": async (world) => {
      const workspace = await world.fresh();
      const toAzureEvent = (eventType: string, data: object) => ({
        id: eventType,
        eventType,
        subject: "vaults/shop",
        data,
      });
      const asked = [toAzureEvent("Microsoft.EventGrid.SubscriptionValidationEvent", { validationCode: "512d38b6" })];
      const answer = expectBody(await postFromSource(world, workspace, "azure-monitor", asked), 200, EventsTaken);
      assert.deepEqual([answer.validationResponse, answer.events], ["512d38b6", []]);
      const sent = [toAzureEvent("Microsoft.KeyVault.SecretNearExpiry", {})];
      const taken = expectBody(await postFromSource(world, workspace, "azure-monitor", sent), 201, EventsTaken);
      assert.equal(taken.events[0]?.eventKey, "azure_monitor.info");
    },
    "accepts the key as header, Bearer, Basic, GenieKey or routing_key; answers 401 to a wrong one": async (world) => {
      const { client } = world;
      const workspace = await world.fresh();
      const postWithHeaders = (headers: Record<string, string>, body: object = toMessage(), source = "alertmanager") =>
        client("POST", `/v1/events/from/${source}`, { headers, body });
      const basics = [`any:${workspace.apiKey}`, `${workspace.apiKey}:`, `${workspace.apiKey}:any`].map(
        (pair) => `Basic ${btoa(pair)}`,
      );
      for (const authorization of [`Bearer ${workspace.apiKey}`, ...basics, `GenieKey ${workspace.apiKey}`])
        expectStatus(await postWithHeaders({ authorization }), 200);
      const call = { event_action: "resolve", dedup_key: "k" };
      expectStatus(await postWithHeaders({}, { ...call, routing_key: workspace.apiKey }, "pagerduty"), 202);
      for (const headers of [{}, { authorization: "Bearer nothing" }, { authorization: `Basic ${btoa("a:b")}` }])
        expectProblem(await postWithHeaders(headers), 401, "unauthenticated");
      expectProblem(await postWithHeaders({}, call, "pagerduty"), 401, "unauthenticated");
    },
    "accepts a tool's messages at its key's URL, until the key is deleted": async ({ client, fresh }) => {
      const workspace = await fresh();
      const made = await workspace.ask("POST", "/api-keys", { name: "Alertmanager", source: "alertmanager" });
      const { id, key, url = "" } = expectBody(made, 201, NewApiKey);
      const path = new URL(url).pathname;
      const postAlert = (path: string) => client("POST", path, { body: toMessage(toAlert("Cpu", "firing")) });
      expectBody(await postAlert(path), 201, EventsTaken);
      expectProblem(await postAlert(path.replace("from/alertmanager", "from/grafana")), 403, "key_scope");
      expectProblem(await client("POST", "/v1/events", { apiKey: key, body: {} }), 403, "key_scope");
      expectProblem(await postAlert(path.slice(0, -1)), 401, "unauthenticated");
      expectProblem(await postAlert(`/v1/events/from/alertmanager/${workspace.apiKey}`), 401, "unauthenticated");
      expectStatus(await workspace.ask("DELETE", `/api-keys/${id}`), 204);
      expectProblem(await postAlert(path), 401, "unauthenticated");
    },
    "serves clients of Opsgenie and PagerDuty that change only the host": async ({ client, fresh }) => {
      const workspace = await fresh();
      await createRule(workspace, {
        eventKey: "*",
        groupId: await createGroup(workspace, workspace.people.slice(0, 1)),
        requiresAck: true,
      });
      const postEvent = async (path: string, body: object | undefined, headers: Record<string, string> = {}) =>
        expectBody(
          await client("POST", `/v1/events/from/${path}`, {
            body,
            headers: { "content-type": "application/json", ...headers },
          }),
          202,
          EventsTaken,
        ).events[0];
      const readState = async (id: string | undefined) => (await workspace.read(`/events/${id}`, Event)).state;

      const genieKey = { authorization: `GenieKey ${workspace.apiKey}` };
      const made = await postEvent("opsgenie/v2/alerts", { message: "Disk full", alias: "disk of db-1" }, genieKey);
      await waitForSent(workspace, made?.eventId ?? "");
      const alert = `opsgenie/v2/alerts/${encodeURIComponent("disk of db-1")}`;
      await postEvent(`${alert}/close?identifierType=alias`, { source: "monit" }, genieKey);
      await retryUntilSuccess(async () => assert.equal(await readState(made?.eventId), "resolved"));

      const key = { routing_key: workspace.apiKey, dedup_key: "disk" };
      const payload = { summary: "Disk full", source: "db-1", severity: "error" };
      const triggered = await postEvent("pagerduty/v2/enqueue", { ...key, event_action: "trigger", payload });
      await waitForSent(workspace, triggered?.eventId ?? "");
      await postEvent("pagerduty/v2/enqueue", { ...key, event_action: "resolve" });
      await retryUntilSuccess(async () => assert.equal(await readState(triggered?.eventId), "resolved"));
    },
    "refuses what it does not support of these clients": async ({ client, acme }) => {
      const postMessageTo = (path: string) =>
        client("POST", `/v1/events/from/${path}`, { apiKey: acme.apiKey, body: { message: "Disk full" } });
      for (const path of ["opsgenie/v2/enqueue", "grafana/v2/alerts", "pagerduty/v2/enqueue/a/close"])
        expectProblem(await postMessageTo(path), 404, "not_found");
      expectFaults(await postMessageTo("opsgenie/v2/alerts/7/close?identifierType=id"), "identifierType");
      for (const action of ["acknowledge", "notes", "snooze"])
        expectFaults(await postMessageTo(`opsgenie/v2/alerts/7/${action}?identifierType=alias`), "action");
      const acknowledge = { event_action: "acknowledge", dedup_key: "k" };
      expectFaults(
        await client("POST", "/v1/events/from/pagerduty/v2/enqueue", { apiKey: acme.apiKey, body: acknowledge }),
        "event_action",
      );
    },
    "answers 404 to an unknown tool, and 422 to an invalid payload with its field": async (world) => {
      expectProblem(await postFromSource(world, world.acme, "nagios", {}), 404, "not_found");
      expectFaults(await postFromSource(world, world.acme, "alertmanager", { alerts: "x" }), "alerts");
      expectFaults(await postFromSource(world, world.acme, "pagerduty", { event_action: "trigger" }), "payload");
      expectProblem(await postFromSource(world, world.acme, "alertmanager", "{"), 400, "malformed_json");
    },
    "cuts texts that are too long, with a warning": async (world) => {
      const long = toAlert("Long", "firing", {
        annotations: { summary: "s".repeat(300) },
        fingerprint: world.unique("f"),
      });
      const { events } = expectBody(
        await postFromSource(world, world.acme, "alertmanager", toMessage(long)),
        201,
        EventsTaken,
      );
      assert.deepEqual(
        events[0]?.warnings.map(({ field, code }) => [field, code]),
        [["title", "cut"]],
      );
    },
    "creates a new event if a resolved alert fires again at once": async (world) => {
      const workspace = await world.fresh();
      const trigger = {
        event_action: "trigger",
        dedup_key: "k",
        payload: { summary: "Down", source: "x", severity: "error" },
      };
      const postToPagerDuty = async (body: object) =>
        expectBody(await postFromSource(world, workspace, "pagerduty", body), 202, EventsTaken).events[0];
      assert.equal((await postToPagerDuty(trigger))?.deduplicated, false);
      assert.equal((await postToPagerDuty(trigger))?.deduplicated, true);
      await postToPagerDuty({ event_action: "resolve", dedup_key: "k" });
      assert.equal((await postToPagerDuty(trigger))?.deduplicated, false);
    },
    "refuses an SNS message without SNS's signature, and calls no other host": async (world) => {
      const message = {
        Type: "Notification",
        MessageId: "m",
        TopicArn: "arn:aws:sns:eu-west-1:123456789012:alarms",
        Message: "{}",
        Timestamp: "2026-11-21T12:00:00.000Z",
        SignatureVersion: "1",
        Signature: "AAAA",
        SigningCertURL: "https://evil.example/SimpleNotificationService-0.pem",
      };
      const headers = { "content-type": "text/plain; charset=UTF-8" };
      expectFaults(await postFromSource(world, world.acme, "cloudwatch", message, headers), "SigningCertURL");
    },
    "answers 503 above the rate limit to tools that retry only after server errors": async (world) => {
      const workspace = await world.fresh();
      const payload = toMessage(...Array.from({ length: 200 }, (_, index) => toAlert(`Flood${index}`, "firing")));
      const answer = await postFromSource(world, workspace, "alertmanager", payload);
      expectProblem(answer, 503, "busy");
      assert.ok(answer.headers.get("retry-after") !== null);
    },
    "accepts only ARNs of topics as a workspace's snsTopics": async (world) => {
      const workspace = await world.fresh();
      const Topics = v.looseObject({ snsTopics: v.array(v.string()) });
      const topics = ["arn:aws:sns:eu-west-1:123456789012:alarms"];
      const changed = expectBody(await workspace.ask("PATCH", "", { snsTopics: topics }), 200, Topics);
      assert.deepEqual(changed.snsTopics, topics);
      expectFaults(await workspace.ask("PATCH", "", { snsTopics: ["alarms"] }), "snsTopics[0]");
    },
  }),
];
