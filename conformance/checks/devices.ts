import assert from "node:assert/strict";
import * as v from "valibot";
import { createSection, skipCheck } from "../check.ts";
import { retryUntilSuccess, expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { Device, DeviceTestAnswer, Event } from "../shapes.ts";
import { createReceiptSigner } from "../signer.ts";
import { openNotifyingWorkspace, registerDevice, sendEvent, waitForSent } from "../world.ts";

/** The browser's key in the example of RFC 8291. */
const BROWSER_KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";

const WebPushKey = v.strictObject({ publicKey: v.string() });

/** The pushes that a push service received. `message`: null if the stand-in cannot decrypt the push. */
const Inbox = v.object({
  messages: v.array(
    v.object({
      endpoint: v.string(),
      message: v.nullable(
        v.object({ notification: v.object({ title: v.string(), data: v.record(v.string(), v.string()) }) }),
      ),
    }),
  ),
});

export const devices = [
  ...createSection("Devices", {
    "registers a device: 201, or 200 if the token is registered; never shows the token": async ({ fresh, unique }) => {
      const workspace = await fresh();
      const token = unique("d");
      const first = expectBody(await registerDevice(workspace, workspace.owner, token), 201, Device);
      const again = expectBody(await registerDevice(workspace, workspace.owner, token), 200, Device);
      assert.equal(again.id, first.id);
      const answer = await workspace.ask("GET", "/devices");
      assert.deepEqual(
        expectBody(answer, 200, v.array(Device)).map(({ id }) => id),
        [first.id],
      );
      assert.ok(!JSON.stringify(answer.body).includes(token));
    },
    "lets people see and delete only their own devices": async ({ fresh, unique }) => {
      const workspace = await fresh();
      const [, other] = workspace.people;
      if (other === undefined) return;
      const device = expectBody(await registerDevice(workspace, workspace.owner, unique("d")), 201, Device);
      assert.deepEqual(expectBody(await workspace.as(other, "GET", "/devices"), 200, v.array(Device)), []);
      expectProblem(await workspace.as(other, "DELETE", `/devices/${device.id}`), 404, "not_found");
      expectStatus(await workspace.ask("DELETE", `/devices/${device.id}`), 204);
      expectProblem(await workspace.ask("DELETE", `/devices/${device.id}`), 404, "not_found");
    },
    "moves a token to the user who registered it last": async ({ fresh, unique }) => {
      const workspace = await fresh();
      const [first, second] = workspace.people;
      if (first === undefined || second === undefined) return;
      const token = unique("d");
      expectStatus(await registerDevice(workspace, first, token), 201);
      expectStatus(await registerDevice(workspace, second, token), 201);
      assert.deepEqual(expectBody(await workspace.as(first, "GET", "/devices"), 200, v.array(Device)), []);
      assert.equal(expectBody(await workspace.as(second, "GET", "/devices"), 200, v.array(Device)).length, 1);
    },
    "accepts at most 10 devices per user": async ({ fresh, unique }) => {
      const workspace = await fresh();
      for (let index = 0; index < 10; index += 1)
        expectStatus(await registerDevice(workspace, workspace.owner, unique("d")), 201);
      expectProblem(await registerDevice(workspace, workspace.owner, unique("d")), 409, "limit_reached");
    },
    "encrypts a push with the browser's own keys": async ({ client, fresh, unique, session: { webPush } }) => {
      if (webPush === undefined) return skipCheck("no stand-in takes the pushes");
      const workspace = await openNotifyingWorkspace(fresh);
      const { token } = workspace.owner;
      const key = expectBody(await client("GET", "/v1/web-push/key", { token }), 200, WebPushKey);
      assert.match(key.publicKey, /^B[\w-]{86}$/);
      const made = await fetch(`${webPush.inboxUrl}/keys`, { method: "POST" });
      const keys = v.parse(v.object({ p256dh: v.string(), auth: v.string() }), await made.json());
      const endpoint = `${webPush.endpointPrefix}${unique("browser-")}`;
      expectStatus(await workspace.ask("POST", "/devices", { subscription: { endpoint, keys } }), 201);
      expectStatus(await workspace.ask("POST", "/devices", { subscription: { endpoint, keys } }), 200);
      const eventId = await sendEvent(workspace, { title: "For a browser" });
      const ownerPush = (await waitForSent(workspace, eventId)).find(({ user }) => user.id === workspace.owner.userId);
      assert.equal(ownerPush?.status, "SENT");
      const inbox = v.parse(Inbox, await (await fetch(webPush.inboxUrl)).json());
      const taken = inbox.messages.filter((message) => message.endpoint === endpoint);
      assert.deepEqual(
        taken.map(({ message }) => message?.notification.title),
        ["For a browser"],
      );
      assert.equal(taken[0]?.message?.notification.data["eventId"], eventId);
    },
    "sends a test at once, only to one's own device, and not twice in a row": async ({ fresh, unique }) => {
      const workspace = await fresh();
      const [, other] = workspace.people;
      const { id } = expectBody(await registerDevice(workspace, workspace.owner, unique("d")), 201, Device);
      const sent = expectBody(await workspace.ask("POST", `/devices/${id}/test`), 200, DeviceTestAnswer);
      assert.deepEqual([sent.outcome, sent.code], ["accepted", null]);
      expectProblem(await workspace.ask("POST", `/devices/${id}/test`), 429, "rate_limited");
      if (other !== undefined)
        expectProblem(await workspace.as(other, "POST", `/devices/${id}/test`), 404, "not_found");
      const [device] = await workspace.read("/devices", v.array(Device));
      assert.deepEqual(device?.lastTest, { sentAt: sent.sentAt, shownAt: null });
    },
    "lets a browser confirm and acknowledge without a session, with its key and the push's token": async (world) => {
      const { client, fresh, unique, session } = world;
      const { webPush } = session;
      if (webPush === undefined) return skipCheck("no stand-in takes the pushes");
      const workspace = await openNotifyingWorkspace(fresh);
      const made = await fetch(`${webPush.inboxUrl}/keys`, { method: "POST" });
      const keys = v.parse(v.object({ p256dh: v.string(), auth: v.string() }), await made.json());
      const endpoint = `${webPush.endpointPrefix}${unique("phone-")}`;
      const signer = await createReceiptSigner();
      const { receiptKey } = signer;
      const added = await workspace.ask("POST", "/devices", { subscription: { endpoint, keys }, receiptKey });
      const { id } = expectBody(added, 201, Device);
      const readReceiptToken = async () => {
        const inbox = v.parse(Inbox, await (await fetch(webPush.inboxUrl)).json());
        const mine = inbox.messages.findLast((one) => one.endpoint === endpoint);
        return mine?.message?.notification.data["receipt"] ?? "";
      };
      const postReceipt = async (token: string, status: string, otherFields: object = {}) =>
        client("POST", "/v1/receipts", { body: { ...(await signer.sign(token, status)), ...otherFields } });
      expectBody(await workspace.ask("POST", `/devices/${id}/test`), 200, DeviceTestAnswer);
      expectStatus(await postReceipt(await readReceiptToken(), "DELIVERED"), 200);
      const [shown] = await workspace.read("/devices", v.array(Device));
      assert.ok((shown?.lastTest?.shownAt ?? "") >= (shown?.lastTest?.sentAt ?? "x"));
      const eventId = await sendEvent(workspace, { requiresAck: true });
      await waitForSent(workspace, eventId);
      const token = await readReceiptToken();
      for (const status of ["DELIVERED", "ACKNOWLEDGED", "ACKNOWLEDGED"])
        assert.deepEqual(expectBody(await postReceipt(token, status), 200, v.object({ status: v.string() })), {
          status,
        });
      const { acknowledgedBy } = await workspace.read(`/events/${eventId}`, Event);
      assert.equal(acknowledgedBy?.id, workspace.owner.userId);
      for (const wrong of [{ token: "none" }, { at: 1 }, { status: "SENT" }, { signature: null }])
        expectProblem(await postReceipt(token, "ACKNOWLEDGED", wrong), 401, "unauthenticated");
    },
    "fails a push to an unsubscribed browser": async ({ fresh, unique, session: { webPush } }) => {
      if (webPush === undefined) return skipCheck("no stand-in takes the pushes");
      const workspace = await openNotifyingWorkspace(fresh);
      const made = await fetch(`${webPush.inboxUrl}/keys`, { method: "POST" });
      const keys = v.parse(v.object({ p256dh: v.string(), auth: v.string() }), await made.json());
      const endpoint = `${webPush.endpointPrefix}${unique("stale-")}`;
      expectStatus(await workspace.ask("POST", "/devices", { subscription: { endpoint, keys } }), 201);
      const ownerPush = (await waitForSent(workspace, await sendEvent(workspace))).find(
        ({ user }) => user.id === workspace.owner.userId,
      );
      assert.deepEqual([ownerPush?.status, ownerPush?.failedReason], ["FAILED", "FCM: all 1 device(s) failed"]);
      // The service stores the outcome of a push before it removes the device, so the device may still be listed.
      await retryUntilSuccess(async () => assert.deepEqual(await workspace.read("/devices", v.array(Device)), []));
    },
    "requires exactly one address per device; a URL must be of a push service": async ({ acme, unique }) => {
      const keys = { p256dh: BROWSER_KEY, auth: "BTBZMqHH6r4Tts7J_aSIgg" };
      const subscription = { endpoint: "https://fcm.googleapis.com/fcm/send/x", keys };
      const token = unique("d");
      expectFaults(await acme.ask("POST", "/devices", { platform: "ios" }), "token");
      expectFaults(await acme.ask("POST", "/devices", { token, fid: token, platform: "ios" }), "fid");
      expectFaults(await acme.ask("POST", "/devices", { token, subscription, platform: "ios" }), "subscription");
      for (const endpoint of ["https://evil.example/x", "http://fcm.googleapis.com/x", "https://127.0.0.1/x"])
        expectFaults(await acme.ask("POST", "/devices", { subscription: { endpoint, keys } }), "subscription.endpoint");
    },
    "requires phone numbers in E.164 with their channels: text messages, calls or both": async ({ acme }) => {
      const phone = "+4930123456";
      expectFaults(await acme.ask("POST", "/devices", { phone: "030 123456", ways: ["sms"] }), "phone");
      expectFaults(await acme.ask("POST", "/devices", { phone }), "ways");
      expectFaults(await acme.ask("POST", "/devices", { phone, ways: ["fax"] }), "ways[0]");
      expectFaults(await acme.ask("POST", "/devices", { phone, ways: ["voice", "voice"] }), "ways");
    },
    "requires a token and the platform ios, android or web": async ({ acme }) => {
      expectFaults(await acme.ask("POST", "/devices", {}), "token", "platform");
      expectFaults(await acme.ask("POST", "/devices", { token: "", platform: "windows" }), "token", "platform");
    },
  }),
];
