import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import { computeReplyDigit } from "../../core/domain/delivery/push/reply.ts";
import { describe, expect, it } from "vitest";
import { joinSmsText } from "../../core/domain/delivery/push/sms.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice, fillWorkspace } from "../support/people.ts";
import { type Device, textsOf } from "./contacts.ts";

describe("a reply to an alert by text message", async () => {
  const PHONE = "+4930777777";
  const { app: other, mine, ask: call, send } = await startFilled();
  const { ruleId } = mine;
  const listTexts = () => textsOf(other);
  const readLastText = () => joinSmsText(listTexts().at(-1)!);
  const { id } = (await call<Device>("POST", "/devices", { phone: PHONE, ways: ["sms"] })).body;
  await call("POST", `/devices/${id}/verify`, { code: readLastText().slice(0, 6) });
  const alertPhone = async () => {
    const eventId = await send({ event: "disk.full", title: "Disk full", body: "2 % left" });
    await other.work();
    const digit = /Reply (\d) to acknowledge$/.exec(readLastText())?.[1] ?? "";
    const readState = async () =>
      (await call<{ state: string; acknowledgedBy: { id: string } | null }>("GET", `/events/${eventId}`)).body;
    return { eventId, digit, state: readState };
  };

  it("acknowledges the event of its message and gets an answer; a second reply changes nothing", async () => {
    const { digit, state } = await alertPhone();
    expect(digit).toMatch(/^[1-9]$/);

    await other.reply(PHONE, ` ${digit}. `, { id: "in-1" });

    expect(await state()).toMatchObject({ state: "acknowledged", acknowledgedBy: { id: alice } });
    expect(readLastText()).toBe("Acknowledged: Disk full");
    const count = listTexts().length;
    // SQS may deliver a message twice.
    await other.reply(PHONE, digit, { id: "in-1" });
    expect(listTexts()).toHaveLength(count);
    await other.reply(PHONE, digit);
    expect(readLastText()).toBe("You have already acknowledged: Disk full");
  });

  it("from another number, with another digit or with words changes nothing", async () => {
    const { digit, state } = await alertPhone();
    const count = listTexts().length;

    await other.reply("+4930888888", digit);
    expect(listTexts()).toHaveLength(count);
    await other.reply(PHONE, String((Number(digit) % 9) + 1));
    expect(readLastText()).toBe(`No alert of the last day has the number ${(Number(digit) % 9) + 1}.`);
    await other.reply(PHONE, "who is this?");
    expect(readLastText()).toContain("Reply to an alert with its number");

    expect(await state()).toMatchObject({ state: "open" });
  });

  it("matches only events that require an acknowledgement", async () => {
    other.advance(25 * 3_600_000);
    await call("PATCH", `/routing-rules/${ruleId}`, { requiresAck: false });
    const digit = String(computeReplyDigit((await alertPhone()).eventId));
    await call("PATCH", `/routing-rules/${ruleId}`, { requiresAck: true });

    await other.reply(PHONE, digit);

    expect(readLastText()).toBe(`No alert of the last day has the number ${digit}.`);
  });

  it("changes nothing after the event has ended, or more than a day after the event", async () => {
    const first = await alertPhone();
    await call("POST", `/events/${first.eventId}/resolve`, {});
    await other.work();

    await other.reply(PHONE, first.digit);

    expect(readLastText()).toBe("Already closed: Disk full");
    const late = await alertPhone();
    other.advance(24 * 3_600_000 + 1);
    await other.reply(PHONE, late.digit);
    expect(readLastText()).toBe(`No alert of the last day has the number ${late.digit}.`);
    expect(await late.state()).toMatchObject({ state: "open" });
  });

  it("with a digit that two open alerts share is answered with a reference to the console", async () => {
    const first = await alertPhone();
    for (let nr = 0; nr < 8; nr += 1) await alertPhone();
    const second = await alertPhone();
    expect(second.digit).toBe(first.digit);

    await other.reply(PHONE, first.digit);

    expect(readLastText()).toBe(`2 open alerts have the number ${first.digit}. Acknowledge them in the console.`);
    expect(await first.state()).toMatchObject({ state: "open" });
  });

  it("acknowledges nothing if the workspace requires the console", async () => {
    // Alerts of the day before with the same digit do not count.
    other.advance(25 * 3_600_000);
    await call("PATCH", "", { openToAcknowledge: true });
    const { eventId, state } = await alertPhone();

    await other.reply(PHONE, String(computeReplyDigit(eventId)));

    expect(readLastText()).toBe("Open the console to acknowledge: Disk full");
    expect(await state()).toMatchObject({ state: "open" });
    await call("PATCH", "", { openToAcknowledge: false });
  });

  it("is charged to the workspace of the alert, not to the first workspace in which the number was verified", async () => {
    const second = await fillWorkspace(other, alice);
    const root = `/v1/workspaces/${second.workspaceId}`;
    const post = async <Body>(path: string, body: object) =>
      (await other.ask<Body>(`${root}${path}`, { method: "POST", as: alice, body })).body;
    const there = await post<Device>("/devices", { phone: PHONE, ways: ["sms"] });
    await post(`/devices/${there.id}/verify`, { code: readLastText().slice(0, 6) });
    const countSent = async (ws: WorkspaceId) =>
      (await other.stand.listItems()).find(({ pk }) => pk === `WS#${ws}#SMS`)?.["sent"];
    const body = { event: "disk.full", title: "There", body: "2 % left" };
    await other.ask("/v1/events", { method: "POST", apiKey: second.key, body });
    await other.work();
    const digit = /Reply (\d) to acknowledge$/.exec(readLastText())?.[1] ?? "";
    const before = [await countSent(mine.workspaceId), await countSent(second.workspaceId)] as number[];

    await other.reply(PHONE, digit);

    expect(readLastText()).toBe("Acknowledged: There");
    expect([await countSent(mine.workspaceId), await countSent(second.workspaceId)]).toEqual([
      before[0],
      before[1]! + 1,
    ]);
    await other.ask(`${root}/devices/${there.id}`, { method: "DELETE", as: alice });
  });

  it("with STOP stops the number until a new code is entered, gets no answer, and notifies the owner by push", async () => {
    other.advance(25 * 3_600_000);
    await other.reply(PHONE, "Stop");
    await other.work();

    const readDevice = async () =>
      (await call<(Device & { stopped: boolean })[]>("GET", "/devices")).body.find((one) => one.id === id);
    expect(await readDevice()).toMatchObject({ verified: false, stopped: true });
    const notice = other.pushed.at(-1);
    expect(notice?.notification.title).toBe("Your phone number no longer gets text messages");
    const count = listTexts().length;
    await alertPhone();
    await other.reply(PHONE, "STOP");
    await other.reply(PHONE, "who is this?");
    await other.work();
    expect(listTexts()).toHaveLength(count);

    expect((await call<Device>("POST", "/devices", { phone: PHONE, ways: ["sms"] })).status).toBe(200);
    expect(await readDevice()).toMatchObject({ verified: false, stopped: true });
    await call("POST", `/devices/${id}/verify`, { code: readLastText().slice(0, 6) });
    expect(await readDevice()).toMatchObject({ verified: true, stopped: false });
  });

  it("gets at most twenty answers a day, so that two machines do not answer each other for ever", async () => {
    other.advance(25 * 3_600_000);
    const count = listTexts().length;

    for (let nr = 0; nr < 25; nr += 1) await other.reply(PHONE, "hello");

    expect(listTexts()).toHaveLength(count + 20);
  });
});
