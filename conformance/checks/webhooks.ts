import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import * as v from "valibot";
import { createSection, skipCheck } from "../check.ts";
import { retryUntilSuccess, expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { Accepted, Webhook, WebhookDeliveries, WebhookTestAnswer, WebhookWithSecret } from "../shapes.ts";
import { createGroup, createRule, type WorkspaceClient, type World } from "../world.ts";

const URL_OUTSIDE = "https://hooks.example.com/alerts";

const postWebhook = (workspace: WorkspaceClient, fields: object = {}) =>
  workspace.ask("POST", "/webhooks", { name: "conformance", url: URL_OUTSIDE, ...fields });

const createWebhook = async (
  workspace: WorkspaceClient,
  fields: object = {},
): Promise<v.InferOutput<typeof WebhookWithSecret>> =>
  expectBody(await postWebhook(workspace, fields), 201, WebhookWithSecret);

/** Returns the URL of a new inbox of the receiver of webhooks. Without a receiver, skips the check. */
const createInboxUrl = ({ session, unique }: World): string => {
  const { hooks } = session;
  return hooks === undefined
    ? skipCheck("the session file names no receiver of webhooks")
    : `${hooks.inboxUrl}/${unique("in")}`;
};

const Inbox = v.object({
  messages: v.array(v.object({ headers: v.record(v.string(), v.string()), body: v.string() })),
});
const Body = v.object({
  type: v.string(),
  data: v.looseObject({ sequence: v.optional(v.number()), eventId: v.optional(v.string()) }),
});

const readInbox = async (url: string) => {
  const { messages } = v.parse(Inbox, await (await fetch(url)).json());
  return messages.map(({ headers, body }) => ({ headers, text: body, body: v.parse(Body, JSON.parse(body)) }));
};

const computeSignature = (secret: string, headers: Record<string, string>, text: string): string =>
  createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
    .update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`)
    .digest("base64");

export const webhooks = createSection("Webhooks", {
  "creates a webhook: 201 with all fields, defaults and its secret, which no other answer shows": async ({ acme }) => {
    const { secret: _secret, ...webhook } = await createWebhook(acme);
    assert.deepEqual([webhook.workspaceId, webhook.status, webhook.eventKeys], [acme.id, "active", null]);
    assert.equal(webhook.types.length, 5);
    const path = `/webhooks/${webhook.id}`;
    assert.deepEqual(await acme.read(path, Webhook), webhook);
    const listed = await acme.read("/webhooks", v.array(Webhook));
    assert.ok(listed.some(({ id }) => id === webhook.id));
    expectStatus(await acme.ask("DELETE", path), 204);
    expectProblem(await acme.ask("GET", path), 404, "not_found");
  },
  "accepts on-call changes and audit records as the types of a webhook": async ({ acme }) => {
    const types = ["oncall.changed", "audit.recorded"];
    const webhook = await createWebhook(acme, { types });
    assert.deepEqual(webhook.types, types);
    expectStatus(await acme.ask("DELETE", `/webhooks/${webhook.id}`), 204);
  },
  "answers 422 to invalid values, and names the field": async ({ acme }) => {
    expectFaults(await acme.ask("POST", "/webhooks", {}), "name", "url");
    for (const [fields, field] of [
      [{ name: "" }, "name"],
      [{ types: [] }, "types"],
      [{ types: ["event.closed"] }, "types[0]"],
      [{ types: ["event.opened", "event.opened"] }, "types"],
      [{ eventKeys: ["service.quota"] }, "eventKeys[0]"],
      [{ paused: "no" }, "paused"],
      [{ secret: "mine" }, "secret"],
    ] as const)
      expectFaults(await postWebhook(acme, fields), field);
  },
  "answers 422 to a URL that is not on the Internet": async ({ acme }) => {
    for (const url of [
      "http://hooks.example.com/alerts",
      "https://hooks.example.com:8443/alerts",
      "https://user:secret@hooks.example.com/",
      "https://127.0.0.1/",
      "https://2130706433/",
      "https://0x7f.1/",
      "https://[::ffff:127.0.0.1]/",
      "https://localhost/",
      "https://metadata.google.internal/",
      "https://db/",
    ])
      expectFaults(await postWebhook(acme, { url }), "url");
  },
  "changes only the given fields, and replaces the secret": async ({ acme }) => {
    const { secret, ...webhook } = await createWebhook(acme);
    const path = `/webhooks/${webhook.id}`;
    const changed = expectBody(await acme.ask("PATCH", path, { paused: true }), 200, Webhook);
    assert.deepEqual([changed.paused, changed.status, changed.url], [true, "paused", webhook.url]);
    assert.equal(expectBody(await acme.ask("PATCH", path, { paused: false }), 200, Webhook).status, "active");
    const rotated = expectBody(await acme.ask("POST", `${path}/secret`), 200, WebhookWithSecret);
    assert.notEqual(rotated.secret, secret);
    await acme.ask("DELETE", path);
  },
  "delivers an event when it opens and when it is resolved, signed, in order, and again on replay": async (world) => {
    const url = createInboxUrl(world);
    const workspace = await world.fresh();
    const { id, secret } = await createWebhook(workspace, { url });
    const test = expectBody(await workspace.ask("POST", `/webhooks/${id}/test`), 200, WebhookTestAnswer);
    assert.deepEqual([test.delivered, test.code], [true, "HTTP_200"]);
    await createRule(workspace, { eventKey: "*", groupId: await createGroup(workspace), requiresAck: true });
    const posted = await workspace.post({ event: "webhook.checked", title: "Down", body: "It is." });
    const { eventId } = expectBody(posted, 201, Accepted);
    await retryUntilSuccess(async () =>
      assert.ok((await readInbox(url)).some(({ body }) => body.type === "event.opened")),
    );
    expectStatus(await workspace.ask("POST", `/events/${eventId}/resolve`, {}), 200);
    const notified = await retryUntilSuccess(async () => {
      const messages = (await readInbox(url)).filter(({ body }) => body.data.eventId === eventId);
      assert.ok(messages.some(({ body }) => body.type === "event.resolved"));
      return messages;
    });
    assert.deepEqual(
      notified.map(({ body }) => body.data.sequence),
      notified.map((_, index) => index + 1),
    );
    for (const { headers, text } of notified)
      assert.equal(headers["webhook-signature"], `v1,${computeSignature(secret, headers, text)}`);
    const { items } = await retryUntilSuccess(async () => {
      const page = await workspace.read(`/webhooks/${id}/deliveries`, WebhookDeliveries);
      assert.ok(page.items.every(({ status }) => status === "delivered"));
      return page;
    });
    assert.equal(items.length, notified.length);
    const range = { from: items.at(-1)?.createdAt, to: items[0]?.createdAt };
    expectStatus(await workspace.ask("POST", `/webhooks/${id}/replay`, range), 200);
    await retryUntilSuccess(async () => assert.equal((await readInbox(url)).length, 1 + 2 * notified.length));
    await workspace.ask("DELETE", `/webhooks/${id}`);
  },
});
