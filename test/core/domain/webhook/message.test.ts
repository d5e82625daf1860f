import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { Message, ReplayInput, toWebhookDelivery } from "../../../../core/domain/webhook/message.ts";

const stored = {
  sk: "1",
  id: "msg_evt_1_1",
  type: "event.opened",
  eventId: "evt_1",
  sequence: 1,
  body: "{}",
  told: Date.UTC(2026, 10, 21, 12),
};

describe("a webhook message in the API", () => {
  it("is waiting until it was accepted or discarded, and counts no attempt before the first one", () => {
    expect(toWebhookDelivery(v.parse(Message, stored))).toEqual({
      id: "msg_evt_1_1",
      type: "event.opened",
      eventId: "evt_1",
      sequence: 1,
      status: "waiting",
      tries: 0,
      createdAt: "2026-11-21T12:00:00.000Z",
      lastTriedAt: null,
      code: null,
    });
  });

  it.each([
    ["delivered", "was accepted", { taken: true, code: "HTTP_204" }],
    ["failed", "was refused", { taken: false, code: "HTTP_422" }],
    ["waiting", "got no answer", { code: "DEADLINE" }],
  ])("is %s if its last attempt %s", (status, _, fields) => {
    const shown = toWebhookDelivery(v.parse(Message, { ...stored, tries: 2, at: stored.told + 5_000, ...fields }));

    expect(shown).toMatchObject({ status, tries: 2, lastTriedAt: "2026-11-21T12:00:05.000Z", code: fields.code });
  });
});

describe("the period of a request to send webhook messages again", () => {
  const from = "2026-11-21T12:00:00Z";

  it.each<[string, object, string[] | undefined]>([
    ["may end after its start", { from, to: "2026-11-21T13:00:00Z" }, undefined],
    ["may end at its start", { from, to: from }, undefined],
    ["may not end before its start", { from, to: "2026-11-21T11:59:59Z" }, ['"from" must not be later than "to".']],
  ])("%s", (_title, body, faults) => {
    expect(v.safeParse(ReplayInput, body).issues?.map(({ message }) => message)).toEqual(faults);
  });

  it.each(["from", "to"])('must have a timestamp in the field "%s"', (field) => {
    const [fault] = v.safeParse(ReplayInput, { from, to: from, [field]: "noon" }).issues ?? [];

    expect(fault?.message).toMatch(new RegExp(`^${field} must be `));
  });
});
