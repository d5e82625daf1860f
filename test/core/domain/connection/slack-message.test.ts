import { assert, constant, nat, oneof, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { buildSlackMessage, type Input } from "../../../../core/domain/connection/slack-message.ts";
import { createChannels } from "../../../../local/slack/channels.ts";

const shownWith = (content: Partial<Input["event"]["content"]>, chapters: Input["chapters"] = []): Input => ({
  event: {
    workspaceId: "ws_1",
    eventId: "evt_1",
    content: { eventKey: "disk.full", title: "t", body: "b", priority: "HIGH", ...content },
  },
  life: { state: "open" },
  chapters,
  eventUrl: "https://alerts.example/events/evt_1?workspace=ws_1",
});
const postToSlack = (message: object) =>
  createChannels({ botToken: "xoxb-1", now: () => 0 }).call("chat.postMessage", "Bearer xoxb-1", {
    channel: "C0123456789",
    ...message,
  }).body;

describe("the Slack message of an event", () => {
  const opened = { name: "opened", type: "event.opened", at: Date.UTC(2026, 10, 21, 12, 0, 5), told: 0, state: "open" };
  const button = (action: string, text: string, fields: object = {}) => ({
    type: "button",
    action_id: action,
    text: { type: "plain_text", text },
    ...fields,
  });
  const context = (text: string) => ({ type: "context", elements: [{ type: "mrkdwn", text }] });
  const blocksOf = (life: Input["life"]["state"], chapters: object[] = []) =>
    buildSlackMessage({ ...shownWith({}, chapters as never), life: { state: life } }).blocks as {
      elements: { text?: string; action_id: string }[];
    }[];
  const value = "ws_1/evt_1";
  const heading = (text: string) => ({
    type: "rich_text",
    elements: [
      {
        type: "rich_text_section",
        elements: [
          { type: "emoji", name: "red_circle" },
          { type: "text", text: " " },
          { type: "link", url: shownWith({}).eventUrl, text, style: { bold: true } },
        ],
      },
    ],
  });

  it("shows the title on one line and the body exactly as sent", () => {
    const { blocks } = buildSlackMessage(
      shownWith({ title: "*Disk*\nfull | :wave:", body: "_2 %_ *left* :wave:\n<b>&" }),
    );

    expect(blocks.slice(0, 2)).toEqual([
      heading("*Disk* full | :wave:"),
      { type: "section", text: { type: "plain_text", text: "_2 %_ *left* :wave:\n<b>&", emoji: false } },
    ]);
  });

  it("cuts texts that are too long for Slack", () => {
    const { blocks } = buildSlackMessage(shownWith({ title: "t".repeat(301), body: "🙂".repeat(1501) }));

    expect(blocks.slice(0, 2)).toEqual([
      heading(`${"t".repeat(299)}…`),
      { type: "section", text: { type: "plain_text", text: `${"🙂".repeat(1499)}…`, emoji: false } },
    ]);
  });

  it("holds the text, the facts, the outcome, and the possible actions", () => {
    const shown = shownWith({ data: { site: "https://shop.example", site_name: "Shop & Co" } }, [opened]);

    expect(buildSlackMessage(shown)).toEqual({
      text: "Open: t",
      blocks: [
        heading("t"),
        { type: "section", text: { type: "plain_text", text: "b", emoji: false } },
        {
          type: "context",
          elements: [{ type: "plain_text", text: "Open  ·  HIGH  ·  disk.full  ·  Shop & Co", emoji: false }],
        },
        context(`Opened <!date^${opened.at / 1000}^{time_secs}|12:00:05 UTC>`),
        {
          type: "actions",
          elements: [
            button("acknowledge", "Acknowledge", { value, style: "primary" }),
            button("resolve", "Resolve", { value }),
            button("open", "Open", { url: shown.eventUrl }),
          ],
        },
      ],
      unfurl_links: false,
      unfurl_media: false,
    });
    expect(blocksOf("open")).toHaveLength(4);
    expect(blocksOf("open")[2]?.elements[0]?.text).toBe("Open  ·  HIGH  ·  disk.full");
  });

  it.each([
    ["none", "resolve, open"],
    ["acknowledged", "resolve, open"],
    ["resolved", "open"],
    ["expired", "open"],
  ] as const)("has buttons that fit the event's state: for the state %s, the buttons %s", (life, actions) => {
    expect(
      blocksOf(life)
        .at(-1)
        ?.elements.map(({ action_id }) => action_id),
    ).toEqual(actions.split(", "));
  });

  it.each([
    [
      "an acknowledgement by a person with the name Ann & Bob",
      "Acknowledged by Ann &amp; Bob",
      { type: "event.acknowledged", by: { id: "usr_1", name: "Ann & Bob" } },
    ],
    [
      "a resolution by a person without a name",
      "Resolved",
      { type: "event.resolved", state: "resolved", by: { id: "usr_1", name: "" } },
    ],
    ["the end of an expired event", "Expired", { type: "event.resolved", state: "expired" }],
    ["an escalation, even of an expired event", "Escalated", { type: "event.escalated", state: "expired" }],
    ["a change of the unknown type event.new", "event.new", { type: "event.new" }],
  ])("says after %s: %s", (_, said, entry) => {
    expect(blocksOf("open", [{ ...opened, ...entry }])[3]?.elements[0]?.text).toMatch(new RegExp(`^${said} <!date`));
  });

  it("has the last eight timeline entries, one per line", () => {
    const many = Array.from({ length: 9 }, (_, nr) => ({ ...opened, type: `step ${nr}` }));
    const lines = blocksOf("open", many)[3]?.elements[0]?.text?.split("\n") ?? [];

    expect(lines.map((line) => line.slice(0, 6))).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((nr) => `step ${nr}`));
  });

  it("cuts a title only if the escaped title exceeds the limit", () => {
    const titleOf = (title: string) => buildSlackMessage({ ...shownWith({ title }), life: { state: "none" } }).text;

    expect(titleOf("x".repeat(594))).toBe(`Told: ${"x".repeat(594)}`);
    expect(titleOf("x".repeat(595))).toBe(`Told: ${"x".repeat(593)}…`);
    expect(titleOf("&".repeat(120))).toBe(`Told: ${"&amp;".repeat(118)}…`);
  });
});

it("the text of an event in Slack never mentions a channel or creates a link", () => {
  const said = buildSlackMessage(shownWith({ title: "<!channel> & <https://evil.example|ok>", body: "<@U1>" }));

  const marked = JSON.stringify(said.blocks.filter((block) => JSON.stringify(block).includes("mrkdwn")));

  expect(marked).not.toMatch(/<!channel>|<@|<https:\/\/evil/);
  expect(said.text).toBe("Open: &lt;!channel&gt; &amp; &lt;https://evil.example|ok&gt;");
});

it("the Slack message of any event and timeline is within Slack's limits", () => {
  const text = (max: number) =>
    oneof(string({ minLength: 1, maxLength: max, unit: "grapheme" }), constant("&".repeat(max)));
  assert(
    property(text(200), text(2_000), text(100), nat(30), (title, body, name, count) => {
      const chapters = Array.from({ length: count }, (_, nr) => ({
        name: `c${nr}`,
        type: "event.escalated",
        at: nr,
        told: nr,
        state: "open",
        by: { id: "usr_1", name },
      }));
      expect(
        postToSlack(
          buildSlackMessage(shownWith({ title, body, data: { site: "https://a.example", site_name: name } }, chapters)),
        ),
      ).toMatchObject({ ok: true });
    }),
    { numRuns: 60 },
  );
});
