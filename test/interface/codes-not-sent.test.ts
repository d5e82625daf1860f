import { describe, expect, it } from "vitest";
import { startFilled } from "../support/filled-app.ts";
import { alice, fillWorkspace } from "../support/people.ts";
import { startApp } from "../world/app.ts";
import { type Device, type Problem, textsOf } from "./contacts.ts";

describe("when a month's text messages are used up,", async () => {
  const { app: poor, ask: call, send } = await startFilled({ monthly: { sms: 3 } });
  const listTexts = () => textsOf(poor);
  const listPushesOfEvent = async () => {
    const before = poor.pushed.length;
    await send({ event: "disk.full", title: "t", body: "b" });
    await poor.work();
    return poor.pushed.slice(before).map((message) => ("phone" in message ? "sms" : message.notification.title));
  };

  it("pushes continue, the owners are notified once, and no verification code is sent", async () => {
    const { id } = (await call<Device>("POST", "/devices", { phone: "+4930123456", ways: ["sms"] })).body;
    await call("POST", `/devices/${id}/verify`, { code: listTexts()[0]?.notification.title.slice(0, 6) });
    expect(await listPushesOfEvent()).toEqual(["t", "sms"]);
    expect(await listPushesOfEvent()).toEqual(["t", "sms"]);

    expect(await listPushesOfEvent()).toEqual(["t"]);
    expect(await listPushesOfEvent()).toEqual(expect.arrayContaining(["t", "This month's text messages are used up"]));
    await poor.work();
    expect(await listPushesOfEvent()).toEqual(["t"]);

    expect(listTexts()).toHaveLength(3);
    const notices = await call<{ total: number }>("GET", "/events?eventKey=service.sms");
    expect(notices.body.total).toBe(1);
    const refused = await call<Problem>("POST", "/devices", { phone: "+4930999999", ways: ["sms"] });
    expect([refused.status, refused.body.errors[0]?.code]).toEqual([422, "budget_used_up"]);
    const { body: devices } = await call<Device[]>("GET", "/devices");
    expect(devices.find(({ platform }) => platform === "phone")?.lastFailure?.code).toBe("BUDGET_USED_UP");
  });
});

describe("a device that needs a channel which the stage does not have,", () => {
  it.each([
    [
      "text messages",
      { sms: "none" },
      { phone: "+4930123456", ways: ["sms"] },
      "ways",
      "ways cannot contain sms: this service sends no text messages, because its operator has not set `smsFrom`. Leave sms out, or register a token or a subscription.",
    ],
    [
      "calls",
      { voice: "none" },
      { phone: "+4930123456", ways: ["sms", "voice"] },
      "ways",
      "ways cannot contain voice: this service makes no calls, because its operator has not set `voiceInstance`. Leave voice out, or register a token or a subscription.",
    ],
    [
      "email",
      { mail: "none" },
      { email: "alice@acme.example" },
      "email",
      "email cannot be used: this service sends no email, because its operator has not set `mailFrom`. Register a token or a subscription.",
    ],
  ] as const)(
    "is refused, and the error says what to register instead: the channel is %s",
    async (_, options, body, field, message) => {
      const without = await startApp(options);
      const { workspaceId } = await fillWorkspace(without, alice);

      const answer = await without.ask<Problem>(`/v1/workspaces/${workspaceId}/devices`, {
        method: "POST",
        as: alice,
        body,
      });

      expect([answer.status, answer.body.errors]).toEqual([422, [{ field, code: "way_not_configured", message }]]);
      await without.close();
    },
  );
});

describe("when a new email address needs a verification code,", () => {
  it.each([
    ["the answer is a 422 if SES rejects the email", { kind: "invalid", code: "MessageRejected" }, 422],
    ["the answer is a 503 if SES throttles requests", { kind: "retry", code: "TooManyRequestsException" }, 503],
    ["the answer is a 503 if SES denies access", { kind: "auth", code: "AccessDeniedException" }, 503],
    ["the answer is a 201 if it is unknown whether SES sent the email", { kind: "unknown", code: "DEADLINE" }, 201],
  ] as const)("%s", async (_, outcome, status) => {
    const failing = await startApp({ mail: { send: async () => outcome, prepare: async () => true } });
    const { workspaceId } = await fillWorkspace(failing, alice);

    const answer = await failing.ask(`/v1/workspaces/${workspaceId}/devices`, {
      method: "POST",
      as: alice,
      body: { email: "alice@acme.example" },
    });

    expect(answer.status).toBe(status);
    await failing.close();
  });
});
