import { describe, expect, it } from "vitest";
import { startFilled } from "../support/filled-app.ts";
import { alice, bob } from "../support/people.ts";
import { createReceiptKey } from "../support/phone.ts";
import { createBrowser } from "../support/web-push.ts";

const HOUR = 3_600_000;

const { app, mine, ask, get, send } = await startFilled();
const phone = await createReceiptKey();
const laptop = await createReceiptKey();

type Device = {
  id: string;
  lastDeliveredAt: string | null;
  lastTest: { sentAt: string; shownAt: string | null } | null;
};
type Problem = { code: string; requestId: string };

const registerBrowser = async (receiptKey: string, name: string) => {
  const subscription = { ...createBrowser().subscription, endpoint: `https://fcm.googleapis.com/fcm/send/${name}` };
  return (await ask<Device>("POST", "/devices", { subscription, name, receiptKey }, bob)).body.id;
};
const phoneId = await registerBrowser(phone.receiptKey, "phone");
await registerBrowser(laptop.receiptKey, "laptop");

const readReceiptToken = (name: string): string => {
  const message = app.pushed.findLast((one) => "subscription" in one && one.subscription.endpoint.endsWith(`/${name}`));
  return message?.data["receipt"] ?? "";
};
const sendAlert = async () => {
  const eventId = await send({ event: "disk.full", title: "Disk full", body: "2 % left" });
  await app.work();
  return { eventId, phone: readReceiptToken("phone"), laptop: readReceiptToken("laptop") };
};
const sendReceipt = (body: object | string, headers?: Record<string, string>) =>
  app.ask<Problem & { status: string }>("/v1/receipts", { method: "POST", body, ...(headers && { headers }) });
const readState = (eventId: string) =>
  get<{
    state: string;
    acknowledgedBy: { id: string; name: string } | null;
    notifications: { id: string; status: string; user: { id: string } }[];
  }>(`/events/${eventId}`);
const refused = {
  status: 401,
  headers: { "Content-Type": "application/problem+json", "WWW-Authenticate": "Receipt" },
  body: {
    type: "urn:event-alerting:problem:unauthenticated",
    title: "Not authenticated",
    status: 401,
    detail: "The receipt is not valid.",
    code: "unauthenticated",
    message: "The receipt is not valid.",
    requestId: "req-1",
  },
};

describe("a signed receipt without a session", () => {
  it("marks the owner's notification as delivered, opened or acknowledged, even if it is sent twice", async () => {
    const { eventId, phone: token } = await sendAlert();
    const readStatusOfBob = async () =>
      (await readState(eventId)).notifications.find(({ user }) => user.id === bob)?.status;

    for (const status of ["DELIVERED", "OPENED", "ACKNOWLEDGED"] as const) {
      expect(await sendReceipt(await phone.sign(token, status))).toMatchObject({ status: 200, body: { status } });
      expect(await readStatusOfBob()).toBe(status);
    }

    expect(await sendReceipt(await phone.sign(token, "ACKNOWLEDGED"))).toMatchObject({ status: 200 });
    expect(await sendReceipt(await phone.sign(token, "DELIVERED"))).toMatchObject({ body: { status: "ACKNOWLEDGED" } });
    expect(await readState(eventId)).toMatchObject({ state: "acknowledged", acknowledgedBy: { id: bob, name: "Bob" } });
  });

  it("proves that the device that sent it is reachable, but not the person's other devices", async () => {
    const { laptop: token } = await sendAlert();
    const before = await ask<Device[]>("GET", "/devices", undefined, bob);
    app.advance(60_000);

    await sendReceipt(await laptop.sign(token, "ACKNOWLEDGED"));

    const [first, second] = (await ask<Device[]>("GET", "/devices", undefined, bob)).body;
    expect(first).toEqual(before.body[0]);
    expect(second?.lastDeliveredAt).not.toBe(before.body[1]?.lastDeliveredAt);
  });

  it("is accepted from a phone that slept for 24 hours, but not an hour later", async () => {
    const { phone: token } = await sendAlert();
    const receipt = await phone.sign(token, "ACKNOWLEDGED");

    app.advance(24 * HOUR);
    expect(await sendReceipt(receipt)).toMatchObject({ status: 200 });

    app.advance(HOUR);
    expect(await sendReceipt(receipt)).toEqual(refused);
  });

  it("is accepted hours later if the device signed it without a network", async () => {
    const { eventId, phone: token } = await sendAlert();
    const pressed = await phone.sign(token, "ACKNOWLEDGED", app.deps.now());

    app.advance(3 * HOUR);

    expect(await sendReceipt(pressed)).toMatchObject({ status: 200 });
    expect(await readState(eventId)).toMatchObject({ state: "acknowledged" });
  });
});

describe("an attack on receipts has no effect:", () => {
  it("a relay or a log that sees the token cannot use it without the device's key", async () => {
    const { eventId, phone: token } = await sendAlert();
    const stranger = await createReceiptKey();
    const good = await phone.sign(token, "ACKNOWLEDGED");

    for (const receipt of [
      { token, status: "ACKNOWLEDGED", at: good.at },
      { ...good, signature: "A".repeat(86) },
      { ...good, at: good.at + 1 },
      await stranger.sign(token, "ACKNOWLEDGED"),
      await laptop.sign(token, "ACKNOWLEDGED"),
      { ...(await phone.sign(token, "DELIVERED")), status: "ACKNOWLEDGED" },
    ])
      expect(await sendReceipt(receipt)).toEqual(refused);

    expect(await readState(eventId)).toMatchObject({ state: "open" });
  });

  it("prefetching and other sites cannot send a receipt, which must be a POST with JSON and without a cookie", async () => {
    const { phone: token } = await sendAlert();
    const receipt = await phone.sign(token, "ACKNOWLEDGED");

    expect(await app.ask("/v1/receipts", { headers: { cookie: "a=b" } })).toMatchObject({ status: 405 });
    expect(await sendReceipt(JSON.stringify(receipt), { "content-type": "text/plain" })).toEqual(refused);
    expect(JSON.stringify((await sendReceipt(receipt)).headers)).not.toMatch(/cookie/i);
  });

  it("a removed person and a removed device cannot send a receipt", async () => {
    const lost = await createReceiptKey();
    const lostId = await registerBrowser(lost.receiptKey, "lost");
    await sendAlert();
    const receipt = await lost.sign(readReceiptToken("lost"), "ACKNOWLEDGED");
    await ask("DELETE", `/devices/${lostId}`, undefined, bob);
    expect(await sendReceipt(receipt)).toEqual(refused);

    const member = { userId: "usr_60e00000000000000000000000000009", name: "Gone", email: "gone@acme.example" };
    await ask("POST", "/members", member);
    await ask("POST", `/groups/${mine.groupId}/members`, { userId: member.userId });
    const subscription = { ...createBrowser().subscription, endpoint: "https://fcm.googleapis.com/fcm/send/gone" };
    await ask("POST", "/devices", { subscription, receiptKey: lost.receiptKey }, member.userId);
    await sendAlert();
    const hers = await lost.sign(readReceiptToken("gone"), "ACKNOWLEDGED");
    await ask("DELETE", `/members/${member.userId}`);
    expect(await sendReceipt(hers)).toEqual(refused);
  });

  it("somebody at a locked phone cannot acknowledge if the workspace requires opening the console", async () => {
    const { eventId, phone: token } = await sendAlert();
    const setOpenToAcknowledge = (openToAcknowledge: boolean) => ask("PATCH", "", { openToAcknowledge });

    expect(await setOpenToAcknowledge(true)).toMatchObject({ status: 200, body: { openToAcknowledge: true } });
    expect(await sendReceipt(await phone.sign(token, "DELIVERED"))).toMatchObject({ status: 200 });
    expect(await sendReceipt(await phone.sign(token, "ACKNOWLEDGED"))).toEqual(refused);
    expect(await readState(eventId)).toMatchObject({ state: "open" });

    await setOpenToAcknowledge(false);
    expect(await sendReceipt(await phone.sign(token, "ACKNOWLEDGED"))).toMatchObject({ status: 200 });
  });

  it("a flood of invalid tokens causes no reads, because the token is verified first", async () => {
    const { phone: token } = await sendAlert();
    const good = await phone.sign(token, "ACKNOWLEDGED");
    const [said, mac] = [token.slice(0, token.lastIndexOf(".")), token.slice(token.lastIndexOf(".") + 1)];
    const other = token.replace(mine.workspaceId, "ws_0000000000000001");
    const later = `${said.slice(0, -1)}${said.endsWith("9") ? "8" : "9"}.${mac}`;
    app.stand.usedActions();

    for (const forged of [
      "",
      ".",
      "a.b.c.d.e.f",
      said,
      `${said}.`,
      `${said}.A`,
      `${said}.${"A".repeat(43)}`,
      other,
      later,
    ])
      expect(await sendReceipt({ ...good, token: forged })).toEqual(refused);
    for (const body of [
      "",
      "{",
      "[]",
      "null",
      "{}",
      { ...good, token: 1 },
      { ...good, status: "SENT" },
      { ...good, at: "1" },
    ])
      expect(await sendReceipt(body)).toEqual(refused);

    expect([...app.stand.usedActions()]).toEqual([]);
  });
});

describe("a test of one's own device", () => {
  const testDevice = (id: string, as = bob) =>
    ask<{ sentAt: string; outcome: string }>("POST", `/devices/${id}/test`, {}, as);
  const readLastTest = async () =>
    (await ask<Device[]>("GET", "/devices", undefined, bob)).body.find(({ id }) => id === phoneId)?.lastTest;

  it("is sent at once, and shows the time when the device confirms it", async () => {
    app.advance(60_000);
    const { status, body } = await testDevice(phoneId);
    expect({ status, outcome: body.outcome }).toEqual({ status: 200, outcome: "accepted" });
    expect(await readLastTest()).toEqual({ sentAt: body.sentAt, shownAt: null });

    app.advance(400);
    const receipt = await phone.sign(readReceiptToken("phone"), "DELIVERED");
    expect(await sendReceipt(receipt)).toMatchObject({ status: 200, body: { status: "DELIVERED" } });
    const shown = await readLastTest();
    app.advance(400);
    await sendReceipt(receipt);

    expect(Date.parse(shown?.shownAt ?? "") - Date.parse(body.sentAt)).toBe(400);
    expect(await readLastTest()).toEqual(shown);
  });

  it("is refused right after another test, and for a device of another person", async () => {
    app.advance(60_000);
    await testDevice(phoneId);

    expect(await testDevice(phoneId)).toMatchObject({ status: 429, headers: { "Retry-After": "10" } });
    expect(await testDevice(phoneId, alice)).toMatchObject({ status: 404 });

    app.advance(10_000);
    expect(await testDevice(phoneId)).toMatchObject({ status: 200 });
  });
});

describe("an acknowledgement or resolution on one device", () => {
  const listReplacements = async () => {
    const before = app.pushed.length;
    await app.work();
    return app.pushed
      .slice(before)
      .map((message) => [
        "subscription" in message ? message.subscription.endpoint.split("/").at(-1) : "other",
        message.data["state"],
        message.notification.title,
        message.notification.body,
      ]);
  };

  it("replaces the push on each other device once", async () => {
    const { eventId, phone: token } = await sendAlert();
    await sendReceipt(await phone.sign(token, "ACKNOWLEDGED"));
    const notified = await listReplacements();
    await sendReceipt(await phone.sign(token, "ACKNOWLEDGED"));

    expect(notified).toContainEqual(["laptop", "acknowledged", "Acknowledged: Disk full", "By Bob"]);
    expect(notified.map(([device]) => device)).not.toContain("phone");
    expect(await listReplacements()).toEqual([]);
    const { notifications } = await readState(eventId);
    const another = notifications.find(({ user }) => user.id !== bob);
    await ask("PATCH", `/notifications/${another?.id}`, { status: "ACKNOWLEDGED" });
    expect(await listReplacements()).toEqual([]);

    await ask("POST", `/events/${eventId}/resolve`, {});
    expect(await listReplacements()).toContainEqual(["phone", "resolved", "Resolved: Disk full", "By Owner"]);
  });
});

describe("a press of a button on a locked phone", () => {
  type Seen = { acknowledgedUntil: string | null; notifications: { user: { id: string }; quiet: string | null }[] };
  const findNightTimeZone = (): string => {
    const ahead = ((38 - new Date(app.deps.now()).getUTCHours()) % 24) - 12;
    return `Etc/GMT${ahead > 0 ? `-${ahead}` : `+${-ahead}`}`;
  };

  it("does the same as an acknowledgement with a session, although the function for presses has fewer permissions", async () => {
    for (const { id } of await get<{ id: string }[]>("/routing-rules"))
      await ask("PATCH", `/routing-rules/${id}`, { enabled: false });
    const { id: groupId } = (await ask<{ id: string }>("POST", "/groups", { name: "Night" })).body;
    await ask("POST", `/groups/${groupId}/members`, { userId: bob });
    const layers = [{ start: "2026-01-01T00:00", every: 1, unit: "week", participants: [bob] }];
    await ask("PUT", `/groups/${groupId}/on-call`, { timeZone: findNightTimeZone(), layers });
    const targets = [{ type: "group", groupId, onCallOnly: true }];
    const policy = { name: "Night", ackMinutes: 60, steps: [{ delayMinutes: 5, targets }] };
    const { id: escalationPolicyId } = (await ask<{ id: string }>("POST", "/escalation-policies", policy)).body;
    const rule = { name: "Night", eventKey: "night.*", targets: [{ type: "group", groupId }] };
    const storm = { groupBy: [], groupMinutes: 10, requiresAck: true, escalationPolicyId };
    expect(await ask("POST", "/routing-rules", { ...rule, ...storm })).toMatchObject({ status: 201 });
    const postAlert = async () => {
      const eventId = await send({ event: "night.full", title: "Disk full", body: "2 % left" });
      await app.work();
      return eventId;
    };
    const eventId = await postAlert();

    await sendReceipt(await phone.sign(readReceiptToken("phone"), "ACKNOWLEDGED"));

    expect((await get<Seen>(`/events/${eventId}`)).acknowledgedUntil).not.toBeNull();
    app.advance(HOUR / 4);
    const next = await get<Seen>(`/events/${await postAlert()}`);
    expect(next.notifications.map(({ user, quiet }) => [user.id, quiet])).toEqual([[bob, "acknowledged"]]);
    expect(app.denied).toEqual([]);
  });
});
