import { describe, expect, it } from "vitest";
import { toIso } from "../../core/domain/basics/time.ts";
import { joinSpokenText, type CallMessage } from "../../core/domain/delivery/push/call.ts";
import { storeContactFailing } from "../../core/store/people/contact-state.ts";
import { setContactStopped } from "../../core/store/people/devices.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice, bob, fillWorkspace } from "../support/people.ts";
import { startApp } from "../world/app.ts";
import { callsOf, type Device, type Problem, textsOf } from "./contacts.ts";

type State = { state: string; acknowledgedBy: { id: string } | null };

const MINUTE = 60_000;
const { app, mine, ask: call, send } = await startFilled();
const { workspaceId, ruleId } = mine;
await call("POST", "/members", { userId: bob, name: "Bob", email: "bob@acme.example" });
const policy = await call<{ id: string }>("POST", "/escalation-policies", {
  name: "Next",
  repeat: 1,
  steps: [{ delayMinutes: 30, targets: [{ type: "user", userId: bob }] }],
});
await call("PATCH", `/routing-rules/${ruleId}`, { requiresAck: true, escalationPolicyId: policy.body.id });

const listCalls = () => callsOf(app);
const listTexts = () => textsOf(app);
const findLastCall = (phone: string) => listCalls().findLast((one) => one.call === phone)!;
const readCode = (call: CallMessage) => call.notification.title.replaceAll(/\D/g, "");
const addPhone = (phone: string, channels: string[], as = alice) =>
  call<Device & Problem>("POST", "/devices", { phone, ways: channels }, as);
const addVerifiedPhone = async (phone: string, as = alice) => {
  const { id } = (await addPhone(phone, ["voice"], as)).body;
  await call("POST", `/devices/${id}/verify`, { code: readCode(findLastCall(phone)) }, as);
  return id;
};
const sendAlert = async (title = "Disk full") => {
  const eventId = await send({ event: "disk.full", title, body: "2 % left", data: { secret: "inside" } });
  await app.work();
  return eventId;
};
const readState = async (eventId: string) => (await call<State>("GET", `/events/${eventId}`)).body;
const listNotifications = async (eventId: string) =>
  (
    await call<{ id: string; user: { id: string }; status: string; escalationStep: number }[]>(
      "GET",
      `/events/${eventId}/notifications`,
    )
  ).body;
const readStatus = async (eventId: string, userId = alice) =>
  (await listNotifications(eventId)).find(({ user }) => user.id === userId)?.status;

const PHONE = "+4930111222";
const device = await addVerifiedPhone(PHONE);

describe("a phone number as a device for calls", () => {
  it("is verified by a code that is spoken in a call", async () => {
    const { body } = await call<Device[]>("GET", "/devices");

    expect(body.filter(({ phone }) => phone !== null)).toMatchObject([
      { id: device, phone: PHONE, ways: ["voice"], verified: true },
    ]);
    expect(listTexts()).toEqual([]);
  });

  it("is called for events that require an acknowledgement, with only the text of the event", async () => {
    await sendAlert();

    const one = findLastCall(PHONE);
    expect(joinSpokenText(one)).toMatch(/^Disk full\. 2 % left\. Press 4 to acknowledge\./);
    expect(JSON.stringify(one)).not.toContain("inside");
  });

  it("counts as reachable, and no longer as failing, once a key is pressed in a test call", async () => {
    expect((await call<Problem>("POST", `/devices/${device}/test?way=sms`)).body.errors).toEqual([
      { field: "way", code: "unknown_value", message: "way must be one of the device's channels: voice." },
    ]);
    expect((await call("POST", `/devices/${device}/test?way=voice`)).status).toBe(200);
    const readDevice = async () => (await call<Device[]>("GET", "/devices")).body.find(({ id }) => id === device);
    const readShownAt = async () => (await readDevice())?.lastTest?.shownAt;
    const readFailingSince = async () => (await readDevice())?.failing;
    expect(await readShownAt()).toBeNull();
    await storeContactFailing(app.deps, workspaceId, alice, device, {
      at: toIso(app.deps.now()),
      code: "TEXT_INVALID",
    });
    expect(await readFailingSince()).not.toBeNull();

    expect(await app.press(findLastCall(PHONE), "4")).toBe("Thank you. This number can be reached.");

    expect(await readShownAt()).not.toBeNull();
    expect(await readFailingSince()).toBeNull();
  });

  it.each([
    ["+33612345678", "phone", "country_not_allowed", "phone is a number from FR. This service calls only DE, AT."],
    ["+4990012345", "phone", "premium_number", "phone is a premium-rate number. Use another number."],
  ])("with the number %s is refused at the field %s with the code %s", async (phone, field, code, message) => {
    const { status, body } = await addPhone(phone, ["voice"]);

    expect([status, body.errors]).toEqual([422, [{ field, code, message }]]);
  });
});

describe("a key that is pressed in a phone call", () => {
  it("acknowledges the event, and pressing it again is answered and changes nothing", async () => {
    const eventId = await sendAlert();
    const one = findLastCall(PHONE);

    expect(await app.press(one, "4")).toBe("Acknowledged. Thank you.");
    expect(await readState(eventId)).toMatchObject({ state: "acknowledged", acknowledgedBy: { id: alice } });
    expect(await app.press(one, "4")).toBe("You have already acknowledged this alert.");
    expect(await readStatus(eventId)).toBe("ACKNOWLEDGED");
  });

  it("gets an answer also after another person's acknowledgement, and after the event has ended", async () => {
    const eventId = await sendAlert();
    const one = findLastCall(PHONE);
    await call("POST", "/events/acknowledge", { eventIds: [eventId] }, bob);
    expect(await app.press(one, "4")).toBe("Bob has already acknowledged this alert.");
    expect(await readStatus(eventId)).toBe("DELIVERED");
    expect(await app.press(one, "5")).toBe("Bob has already acknowledged this alert.");
    await call("POST", `/events/${eventId}/resolve`, {});

    expect(await app.press(one, "4")).toBe("This alert is already resolved.");
    expect((await readState(eventId)).acknowledgedBy).toMatchObject({ id: bob });
  });

  it("is required: a call that is only answered acknowledges nothing", async () => {
    const eventId = await sendAlert();

    expect(await readStatus(eventId)).toBe("SENT");

    expect(await app.press(findLastCall(PHONE), "6")).toBe("");
    expect(await readStatus(eventId)).toBe("DELIVERED");
  });

  it("starts the next escalation step at once, and only once, however often the key is pressed", async () => {
    const eventId = await sendAlert();
    const one = findLastCall(PHONE);
    const countEscalated = async () =>
      (await listNotifications(eventId)).filter(({ escalationStep }) => escalationStep > 0).length;
    expect(await app.press(one, "5")).toBe("The alert is escalated to the next people.");
    expect(await readStatus(eventId)).toBe("DELIVERED");
    expect(await app.press(one, "5")).toBe("The alert is escalated to the next people.");
    await app.escalate();
    expect(await countEscalated()).toBe(1);

    expect(await app.press(one, "5")).toBe("This alert was already escalated.");
    await app.escalate();
    expect(await countEscalated()).toBe(1);
    expect((await readState(eventId)).state).toBe("open");
  });

  it("starts no escalation step if the person's role does not allow it", async () => {
    const vic = "usr_0123456789abcdef0123456789abcdef";
    await call("POST", "/members", { userId: vic, name: "Vic", email: "vic@acme.example", role: "viewer" });
    await call("PATCH", `/members/${alice}`, { role: "owner" });
    await addVerifiedPhone("+4930111333", vic);
    const { body: group } = await call<{ id: string }>("POST", "/groups", { name: "Watching" });
    await call("POST", `/groups/${group.id}/members`, { userId: vic });
    await call("POST", "/routing-rules", {
      name: "Vic",
      eventKey: "vic.told",
      targets: [{ type: "group", groupId: group.id }],
      requiresAck: true,
      escalationPolicyId: policy.body.id,
    });
    await send({ event: "vic.told", title: "t", body: "b" });
    await app.work();

    expect(await app.press(findLastCall("+4930111333"), "5")).toBe("Your role does not allow you to escalate.");
    expect(await app.press(findLastCall("+4930111333"), "4")).toBe("Acknowledged. Thank you.");
  });

  it("acknowledges nothing if the workspace requires opening the console", async () => {
    await call("PATCH", "", { openToAcknowledge: true });
    const eventId = await sendAlert();

    expect(await app.press(findLastCall(PHONE), "4")).toBe("Open the console to acknowledge this alert.");

    expect((await readState(eventId)).state).toBe("open");
    expect(await readStatus(eventId)).toBe("DELIVERED");
    await call("PATCH", "", { openToAcknowledge: false });
  });
});

describe("a key pressed in a phone call", () => {
  const NOBODY = "This call is no longer valid. Goodbye.";

  it("acknowledges nothing if the call's token belongs to another number", async () => {
    const eventId = await sendAlert();

    expect(await app.press(findLastCall(PHONE), "4", "+4930999999")).toBe(NOBODY);

    expect((await readState(eventId)).state).toBe("open");
  });

  it("acknowledges nothing if the call's token is invented, belongs to another person's alert, or is too old", async () => {
    const eventId = await sendAlert();
    const one = findLastCall(PHONE);
    const receipt = one.receipt ?? "";
    const forged = [
      "",
      `${receipt.slice(0, -4)}AAAA`,
      receipt.replace(/ntf_|^([^.]+)\./, "ws_other."),
      receipt.replace(alice, bob),
    ];

    for (const token of forged) expect(await app.press({ ...one, receipt: token }, "4")).toBe(NOBODY);

    app.advance(26 * 60 * MINUTE);
    expect(await app.press(one, "4")).toBe(NOBODY);
    expect((await readState(eventId)).state).toBe("open");
  });

  it("acknowledges nothing after the number was stopped, as by a STOP reply, until the number is verified again", async () => {
    const eventId = await sendAlert();
    const one = findLastCall(PHONE);
    await setContactStopped(app.deps, workspaceId, alice, device);

    expect(await app.press(one, "4")).toBe(NOBODY);
    expect((await readState(eventId)).state).toBe("open");
    await addVerifiedPhone(PHONE);
    expect(await app.press(one, "4")).toBe("Acknowledged. Thank you.");
  });

  it("acknowledges nothing once the number no longer belongs to the person", async () => {
    const eventId = await sendAlert();
    const one = findLastCall(PHONE);
    await call("DELETE", `/devices/${device}`);

    expect(await app.press(one, "4")).toBe(NOBODY);
    expect((await readState(eventId)).state).toBe("open");
  });
});

describe("a phone number with text messages and calls", () => {
  const BOTH = "+4930444555";

  it("is verified by text message, and is called only for events that a call can acknowledge", async () => {
    const added = await addPhone(BOTH, ["voice", "sms"]);
    expect(added.body.ways).toEqual(["sms", "voice"]);
    const code = listTexts().at(-1);
    expect(code).toMatchObject({ phone: BOTH });
    const digits = code?.notification.title.slice(0, 6);
    await call("POST", `/devices/${added.body.id}/verify`, { code: digits });
    const [called, texted] = [listCalls().length, listTexts().length];

    await sendAlert();
    expect([listCalls().length - called, listTexts().length - texted]).toEqual([1, 1]);

    await call("PATCH", `/routing-rules/${ruleId}`, { requiresAck: false, escalationPolicyId: null });
    await sendAlert();
    expect([listCalls().length - called, listTexts().length - texted]).toEqual([1, 2]);
    await call("PATCH", `/routing-rules/${ruleId}`, { requiresAck: true });
  });

  it("gets no calls and needs no new code after its owner removes calls from its channels", async () => {
    const before = listTexts().length;
    expect((await addPhone(BOTH, ["sms"])).body).toMatchObject({ ways: ["sms"], verified: true });
    const called = listCalls().length;

    const eventId = await sendAlert();

    expect(listCalls().length).toBe(called);
    expect(await app.press(findLastCall(BOTH), "4")).toBe("This call is no longer valid. Goodbye.");
    expect((await readState(eventId)).state).toBe("open");
    expect(listTexts().length).toBe(before + 1);
  });

  it("is notified by its owner's notification steps: a text message at once, a call a minute later", async () => {
    await addPhone(BOTH, ["sms", "voice"]);
    await call("PUT", "/notification-rules", {
      rungs: {
        NORMAL: [
          { afterMinutes: 0, ways: ["sms"] },
          { afterMinutes: 1, ways: ["voice"] },
        ],
      },
    });
    const eventId = await sendAlert();
    const listSentChannels = () =>
      app.pushed.flatMap((one) => (one.data["eventId"] === eventId ? ["call" in one ? "call" : "text"] : []));
    expect(listSentChannels()).toEqual(["text"]);

    app.advance(MINUTE);
    await app.escalate();

    expect(listSentChannels()).toEqual(["text", "call"]);
    const own = (await listNotifications(eventId)).find(({ user }) => user.id === alice);
    const why = await call<object>("GET", `/notifications/${own?.id}`);
    expect(JSON.stringify(why.body)).toContain('"way":"voice","outcome":"accepted"');
    expect(await app.press(findLastCall(BOTH), "4")).toBe("Acknowledged. Thank you.");
    app.advance(MINUTE);
    await app.escalate();
    expect(listSentChannels()).toHaveLength(2);
  });
});

it("beyond the month's quota of calls, no call is made, the owners are notified once, and pushes continue", async () => {
  const poor = await startApp({ monthly: { sms: 10, voice: 2 } });
  const { workspaceId: ws, key: poorKey, ruleId: rule } = await fillWorkspace(poor, alice);
  const ask = <Body>(method: "POST" | "PATCH" | "GET", path: string, body?: object) =>
    poor.ask<Body>(`/v1/workspaces/${ws}${path}`, { method, as: alice, ...(body === undefined ? {} : { body }) });
  await ask("PATCH", `/routing-rules/${rule}`, { requiresAck: true });
  await ask("POST", "/devices", { token: "token-1", platform: "ios" });
  const { id } = (await ask<Device>("POST", "/devices", { phone: PHONE, ways: ["voice"] })).body;
  const listCallsMade = () => callsOf(poor);
  await ask("POST", `/devices/${id}/verify`, { code: readCode(listCallsMade()[0]!) });
  const countPushes = () => poor.pushed.filter((message) => "token" in message).length;
  const postEvent = async () => {
    const body = { event: "disk.full", title: "Disk full", body: "2 % left" };
    await poor.ask("/v1/events", { method: "POST", apiKey: poorKey, body });
    await poor.work();
  };

  await postEvent();
  await postEvent();
  await postEvent();
  await poor.work();

  expect(listCallsMade()).toHaveLength(2);
  expect(countPushes()).toBeGreaterThanOrEqual(3);
  const { body } = await ask<{ items: { eventKey: string }[] }>("GET", "/events?eventKey=service.*");
  expect(body.items.filter(({ eventKey }) => eventKey === "service.voice")).toHaveLength(1);
  await poor.close();
});
