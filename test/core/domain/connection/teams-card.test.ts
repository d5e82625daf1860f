import { describe, expect, it } from "vitest";
import { buildTeamsCard, buildTestCard } from "../../../../core/domain/connection/teams-card.ts";
import type { TimelineEntry } from "../../../../core/domain/webhook/timeline.ts";

type Card = {
  attachments: { content: { body: { text?: string; color?: string; facts?: object[] }[]; actions: object[] } }[];
};

const PAGE = "https://alerts.example/events/evt_1?workspace=ws_1";
const opened = { name: "opened", type: "event.opened", at: Date.UTC(2026, 10, 21, 12), told: 0, state: "open" };
const cardOf = (content: object = {}, entry: Partial<TimelineEntry> = {}) => {
  const event = {
    workspaceId: "ws_1",
    eventId: "evt_1",
    content: { eventKey: "disk.full", title: "Disk full", body: "2 % left", priority: "HIGH", ...content },
  };
  return JSON.parse(buildTeamsCard(event as never, { ...opened, ...entry }, PAGE)) as Card;
};
const bodyOf = (card: Card) => card.attachments[0]!.content.body;
const textsOf = (card: Card) => bodyOf(card).flatMap(({ text }) => text ?? []);

describe("a Teams card", () => {
  it("shows what happened, the event's text and facts, and a button that opens the event", () => {
    const data = { site: "https://shop.example", site_name: "Shop" };

    expect(cardOf({ data })).toEqual({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            type: "AdaptiveCard",
            version: "1.4",
            body: [
              { type: "TextBlock", text: "Opened", wrap: true, weight: "Bolder", color: "Attention" },
              { type: "TextBlock", text: "Disk full", wrap: true, size: "Large", weight: "Bolder" },
              { type: "TextBlock", text: "2 % left", wrap: true },
              {
                type: "FactSet",
                facts: [
                  { title: "Priority", value: "HIGH" },
                  { title: "Event key", value: "disk.full" },
                  { title: "Site", value: "Shop" },
                  { title: "At", value: "2026-11-21T12:00:00.000Z" },
                ],
              },
            ],
            actions: [{ type: "Action.OpenUrl", title: "Open the event", url: PAGE }],
          },
        },
      ],
    });
    expect(bodyOf(cardOf()).at(-1)?.facts).toHaveLength(3);
  });

  it.each<[string, string, string, Partial<TimelineEntry>]>([
    [
      "an acknowledgement by Ann",
      "Acknowledged by Ann",
      "Warning",
      { type: "event.acknowledged", state: "acknowledged", by: { id: "usr_ann", name: "Ann" } },
    ],
    [
      "an escalation by a person without a name",
      "Escalated",
      "Attention",
      { type: "event.escalated", by: { id: "usr_ann", name: "" } },
    ],
    ["the event reached nobody", "Nobody was reached", "Attention", { type: "event.unreached" }],
    ["the event was resolved", "Resolved", "Good", { type: "event.resolved", state: "resolved" }],
    ["the event expired", "Expired", "Default", { type: "event.resolved", state: "expired" }],
  ])('after %s says "%s" in the colour %s', (_, said, color, entry) => {
    expect(bodyOf(cardOf({}, entry))[0]).toMatchObject({ text: said, color });
  });

  it("escapes an event's text, so that no part of it becomes a link, emphasis or a list", () => {
    const [, title, body] = textsOf(
      cardOf({ title: "[ok](https://evil.example) *now*", body: "# a\n- b_c_ `d` ~e~ >f \\ 1.5" }),
    );

    expect(title).toBe(String.raw`\[ok\]\(https://evil.example\) \*now\*`);
    expect(body).toBe("\\# a\n\\- b\\_c\\_ \\`d\\` \\~e\\~ \\>f \\\\ 1.5");
  });

  it("escapes the name of the person who acted", () => {
    const by = { id: "usr_ann", name: "[Ann](https://evil.example)" };

    const [happened] = textsOf(cardOf({}, { type: "event.acknowledged", state: "acknowledged", by }));

    expect(happened).toBe(String.raw`Acknowledged by \[Ann\]\(https://evil.example\)`);
  });

  it("shortens a title that is too long, without splitting a character", () => {
    const [, title, body] = textsOf(cardOf({ title: "🚨".repeat(201), body: "x".repeat(2_000) }));

    expect(title).toBe(`${"🚨".repeat(199)}…`);
    expect(body).toHaveLength(2_000);
  });

  it("for a test names its connection, and has no button", () => {
    const card = JSON.parse(buildTestCard("#alerts")) as Card;

    expect(textsOf(card)).toEqual([String.raw`The connection \#alerts posts alerts here.`]);
    expect(card.attachments[0]?.content.actions).toEqual([]);
  });
});
