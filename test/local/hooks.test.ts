import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createWebhookInbox, type WebhookInbox } from "../../local/hooks.ts";
import { listenLocally, type Listener } from "../../local/listen.ts";

let server: Server;
let listener: Listener;
let hooks: WebhookInbox;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (!hooks.serve(request, response)) response.writeHead(404).end();
  });
  listener = await listenLocally(server, 0);
  hooks = createWebhookInbox({ origin: listener.url });
});
afterAll(async () => {
  hooks.close();
  await listener.close();
});

const postTo = async (name: string, body = "{}") => {
  const answer = await fetch(`${hooks.inboxUrl}/${name}`, { method: "POST", body, headers: { "webhook-id": "msg_1" } });
  return answer.status;
};
const readInbox = async (name: string) =>
  ((await (await fetch(`${hooks.inboxUrl}/${name}`)).json()) as { messages: { headers: object; body: string }[] })
    .messages;

it("the webhook stand-in stores the messages it received, and deletes them on request", async () => {
  expect(await postTo("mine", '{"a":1}')).toBe(200);
  expect(await readInbox("mine")).toMatchObject([{ headers: { "webhook-id": "msg_1" }, body: '{"a":1}' }]);
  expect(await readInbox("another")).toEqual([]);

  await fetch(`${hooks.inboxUrl}/mine`, { method: "DELETE" });
  expect(await readInbox("mine")).toEqual([]);
});

it("the webhook stand-in answers as the name in its URL says: for gone-1 with 410", async () => {
  expect(await postTo("gone-1")).toBe(410);
  expect([await postTo("flaky-2-a"), await postTo("flaky-2-a"), await postTo("flaky-2-a")]).toEqual([503, 503, 200]);
  expect([await postTo("quota-1-a"), await postTo("quota-1-a")]).toEqual([429, 200]);
  await expect(postTo("reset-1-a")).rejects.toThrow("fetch failed");
  expect(await readInbox("reset-1-a")).toHaveLength(1);
});

it("the webhook stand-in answers 404 for every path outside its own", async () => {
  expect((await fetch(`${listener.url}/v1/events`)).status).toBe(404);
  expect((await fetch(`${listener.url}/local/hooks/elsewhere`)).status).toBe(404);
});
