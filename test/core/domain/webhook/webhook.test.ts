import { describe, expect, it } from "vitest";
import * as v from "valibot";
import {
  emptyQueue,
  followsEventKey,
  DeliveryQueue,
  needsPolling,
  rotateToNextSecret,
  receivesAuditTrail,
  patchWebhook,
  toWebhookView,
  wantsChange,
  WebhookInput,
  WebhookPatch,
  type Webhook,
  type EventType,
} from "../../../../core/domain/webhook/webhook.ts";
import { DAY_MS } from "../../../../core/domain/basics/units.ts";
import { names } from "../support.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const given = { name: "Board", url: "https://board.example/hook" };
const webhook: Webhook = {
  ...given,
  id: "wh_1",
  workspaceId: "ws_1",
  types: ["event.opened"],
  eventKeys: ["order.*"],
  paused: false,
  secret: 1,
  version: 3,
  createdAt: "2026-11-20T12:00:00.000Z",
  updatedAt: "2026-11-20T13:00:00.000Z",
};

const faultsOf = (schema: typeof WebhookInput | typeof WebhookPatch, body: unknown): string[] | undefined =>
  v.safeParse(schema, body).issues?.map(({ message }) => message);

describe("the request body for a webhook", () => {
  it("selects all changes of all events by default", () => {
    expect(v.parse(WebhookInput, given)).toEqual({
      ...given,
      types: ["event.opened", "event.acknowledged", "event.escalated", "event.unreached", "event.resolved"],
      eventKeys: null,
      paused: false,
    });
    expect(v.parse(WebhookInput, { ...given, types: ["event.resolved"], eventKeys: ["a.b"], paused: true })).toEqual({
      ...given,
      types: ["event.resolved"],
      eventKeys: ["a.b"],
      paused: true,
    });
  });

  it.each(names)("has a name that $2", (name, good) => {
    expect(v.is(WebhookInput, { ...given, name })).toBe(good);
  });
});

describe("the messages that a webhook receives", () => {
  it.each<[string, string[], string[] | null, { follows: boolean; isWatched: boolean; hasTrail: boolean }]>([
    [
      "are about events that it selects",
      ["event.resolved"],
      ["order.*"],
      { follows: true, isWatched: false, hasTrail: false },
    ],
    [
      "are not about events with other keys",
      ["event.resolved"],
      ["stock.*"],
      { follows: false, isWatched: false, hasTrail: false },
    ],
    [
      "are about all events and on-call changes",
      ["event.opened", "oncall.changed"],
      null,
      { follows: true, isWatched: true, hasTrail: false },
    ],
    ["are only about the audit trail", ["audit.recorded"], null, { follows: false, isWatched: true, hasTrail: true }],
  ])("%s", (_title, types, eventKeys, expected) => {
    expect(followsEventKey({ types, eventKeys }, "order.failed")).toBe(expected.follows);
    expect(needsPolling(types as never)).toBe(expected.isWatched);
    expect(receivesAuditTrail({ types }, NOON)).toBe(expected.hasTrail);
  });
});

describe("an update of a webhook", () => {
  it("that deselects the audit trail lets the webhook count as a receiver of the trail for 30 more days", () => {
    const trail = { ...webhook, types: ["event.opened", "audit.recorded"] };
    const changed = patchWebhook(trail, { types: ["event.opened"] }, NOON);

    expect(changed).toEqual({ ...trail, types: ["event.opened"], trailUntil: NOON });
    expect(patchWebhook(changed, { paused: true }, NOON + 1)).toEqual({ ...changed, paused: true });
    expect(receivesAuditTrail(changed, NOON + 30 * DAY_MS - 1)).toBe(true);
    expect(receivesAuditTrail(changed, NOON + 30 * DAY_MS)).toBe(false);
  });

  it("keeps the fields that are not given", () => {
    expect(v.parse(WebhookPatch, {})).toEqual({});
    expect(v.parse(WebhookPatch, { paused: true })).toEqual({ paused: true });
  });

  it.each<[string, object, string]>([
    ["an empty name", { name: "" }, "name must not be empty."],
    ["a URL of 2,049 characters", { url: "x".repeat(2_049) }, "url must have at most 2048 characters."],
    ["a text as types", { types: "event.opened" }, "types must be an array."],
    ["no types", { types: [] }, "types must have at least one type; leave it out for all event types."],
    [
      "an unknown type",
      { types: ["event.closed"] },
      "types must be among event.opened, event.acknowledged, event.escalated, event.unreached, event.resolved, oncall.changed, audit.recorded.",
    ],
    ["the same type twice", { types: ["event.opened", "event.opened"] }, "types must not name a type twice."],
    [
      "a text as event keys",
      { eventKeys: "order.*" },
      "eventKeys must be an array of patterns, or null for all events.",
    ],
    ["no event keys", { eventKeys: [] }, "eventKeys must have at least one pattern, or be null for all events."],
    [
      "21 event keys",
      { eventKeys: Array.from({ length: 21 }, (_, index) => `a.b${index}`) },
      "eventKeys must have at most 20 patterns.",
    ],
    ["a text as paused", { paused: "yes" }, "paused must be true or false."],
  ])("with %s is refused, and the message says why", (_, body, message) => {
    expect(faultsOf(WebhookPatch, body)).toEqual([message]);
    expect(faultsOf(WebhookInput, { ...given, ...body })).toEqual([message]);
  });

  it("may name up to the maximum number of event keys", () => {
    const eventKeys = Array.from({ length: 20 }, (_, index) => `a.b${index}`);

    expect(v.is(WebhookPatch, { eventKeys })).toBe(true);
  });
});

describe("the deliveries of a webhook", () => {
  it.each<[string, Partial<Webhook>, EventType, string, boolean]>([
    ["include a change whose type and event key it selects", {}, "event.opened", "order.failed", true],
    ["do not include a change of another type", {}, "event.resolved", "order.failed", false],
    ["do not include a change of an event with another key", {}, "event.opened", "disk.full", false],
    ["include events of two patterns", { eventKeys: ["disk.full", "order.*"] }, "event.opened", "order.failed", true],
    ["include all events if it selects no event keys", { eventKeys: null }, "event.opened", "disk.full", true],
  ])("%s", (_title, fields, type, eventKey, notified) => {
    expect(wantsChange({ ...webhook, ...fields }, type, eventKey)).toBe(notified);
  });
});

it("webhook messages are signed with both the new and the previous secret for a day after a rotation", () => {
  expect(rotateToNextSecret(webhook, NOON)).toEqual({ ...webhook, secret: 2, before: NOON + 86_400_000 });
});

describe("a webhook in the API", () => {
  it("has no secret, and says since when its delivery queue is suspended", () => {
    const line = { ...emptyQueue, failingSince: NOON, due: NOON + 5_000, failure: { at: NOON, code: "HTTP_500" } };

    expect(toWebhookView({ ...webhook, before: NOON }, line)).toEqual({
      ...given,
      id: "wh_1",
      workspaceId: "ws_1",
      types: ["event.opened"],
      eventKeys: ["order.*"],
      paused: false,
      status: "waiting",
      failingSince: "2026-11-21T12:00:00.000Z",
      nextTryAt: "2026-11-21T12:00:05.000Z",
      lastFailure: { at: "2026-11-21T12:00:00.000Z", code: "HTTP_500" },
      version: 3,
      createdAt: "2026-11-20T12:00:00.000Z",
      updatedAt: "2026-11-20T13:00:00.000Z",
    });
  });

  it.each<[string, boolean, DeliveryQueue]>([
    ["active", false, emptyQueue],
    ["waiting", false, { ...emptyQueue, failingSince: 1, due: 2 }],
    ["suspended", false, { ...emptyQueue, failingSince: 1, due: 2, suspendedAt: 3 }],
    ["paused", true, { ...emptyQueue, failingSince: 1, due: 2, suspendedAt: 3 }],
  ])("has the status %s, and shows a next attempt only if it waits for one", (status, paused, line) => {
    const view = toWebhookView({ ...webhook, paused }, line);

    expect(view.status).toBe(status);
    expect(view.nextTryAt).toBe(status === "waiting" ? "1970-01-01T00:00:00.002Z" : null);
    expect(view.lastFailure).toBeNull();
  });

  it("begins with an empty delivery queue", () => {
    expect(v.parse(DeliveryQueue, {})).toEqual({ asked: 0, tries: 0 });
    expect(emptyQueue).toEqual({ asked: 0, tries: 0 });
  });
});
