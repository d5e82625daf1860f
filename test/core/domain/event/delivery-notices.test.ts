import { describe, expect, it } from "vitest";
import { createDeliveryNotice, type DeliveryTrouble } from "../../../../core/domain/event/notices.ts";
import { NOBODY_LINKED } from "../../../../core/domain/on-call/user-group.ts";

const AT = Date.UTC(2026, 10, 21, 12);
const hook = { id: "wh_1", name: "Board", kind: "webhook" } as const;
const room = { id: "con_1", name: "#alerts", kind: "connection" } as const;

it("owners get one notice each time a delivery queue starts to fail", () => {
  expect(createDeliveryNotice(hook, { kind: "failing", since: AT, code: "HTTP_500" })).toStrictEqual({
    once: `webhook:wh_1:failing:${AT}`,
    content: {
      eventKey: "service.webhook",
      title: "Webhook Board is failing",
      body:
        "No message has been accepted since 2026-11-21T12:00:00.000Z; the last attempt ended with HTTP_500. Messages wait in " +
        "order and are sent when the receiver responds again. Check the webhook in the console under Integrations, Webhooks.",
      priority: "NORMAL",
      data: { webhook: "wh_1", trouble: "failing", code: "HTTP_500" },
      notice: {},
    },
  });
});

describe("the notice about a suspended delivery queue", () => {
  const suspendedTrouble = (because: "gone" | "silent", code: string): DeliveryTrouble => ({
    kind: "suspended",
    at: AT,
    because,
    keptDays: 14,
    code,
  });
  const hint = (noun: string, page: string) =>
    `New messages wait in order for 14 days, and are sent when somebody changes the ${noun} or a test succeeds. ` +
    `Check the ${noun} in the console under Integrations, ${page}.`;

  it("is loud, and names the cause and the remedy", () => {
    expect(createDeliveryNotice(room, suspendedTrouble("silent", "TIMEOUT"))).toStrictEqual({
      once: `connection:con_1:suspended:${AT}`,
      content: {
        eventKey: "service.connection",
        title: "Connection #alerts is suspended",
        body: `No message has been accepted for three days; the last attempt ended with TIMEOUT. ${hint("connection", "Channels")}`,
        priority: "HIGH",
        data: { connection: "con_1", trouble: "suspended", code: "TIMEOUT" },
        notice: {},
      },
    });
  });

  it.each([
    ["a webhook", hook, "HTTP_410", `The receiver answered 410 Gone. ${hint("webhook", "Webhooks")}`],
    [
      "a connection",
      room,
      "channel_not_found",
      `All messages are refused (channel_not_found). ${hint("connection", "Channels")}`,
    ],
  ] as const)("says why %s refuses all further messages", (_what, end, code, body) => {
    expect(createDeliveryNotice(end, suspendedTrouble("gone", code)).content.body).toBe(body);
  });
});

describe("the notice about a refused webhook or channel message", () => {
  const refused: DeliveryTrouble = { kind: "refused", at: AT, code: "HTTP_422" };

  it("is sent once a day, and says how to send the refused message again", () => {
    expect(createDeliveryNotice(hook, refused)).toStrictEqual({
      once: "webhook:wh_1:refused:2026-11-21",
      content: {
        eventKey: "service.webhook",
        title: "Webhook Board refuses messages",
        body:
          "The same message was answered with HTTP_422 repeatedly. That message is skipped; later messages are sent. You can " +
          "send the skipped message again. Check the webhook in the console under Integrations, Webhooks.",
        priority: "NORMAL",
        data: { webhook: "wh_1", trouble: "refused", code: "HTTP_422" },
        notice: {},
      },
    });
  });

  it("gives the reason of the refusal if that is known", () => {
    expect(createDeliveryNotice(room, { ...refused, why: "Invite the app to the channel." }).content.body).toMatch(
      /; later messages are sent\. Invite the app to the channel\. Check the connection in the console under Integrations, Channels\.$/,
    );
  });

  it("for a Slack user group says that the user group was left unchanged", () => {
    expect(createDeliveryNotice(room, { ...refused, code: NOBODY_LINKED }).content).toMatchObject({
      title: "The user group of #alerts contains nobody who is on call",
      body:
        "Nobody on call has linked a Slack account, so the user group keeps its former members. " +
        "Check the connection in the console under Integrations, Channels.",
      priority: "NORMAL",
    });
  });
});
