import { assert, constant, nat, oneof, property, string } from "fast-check";
import { expect, it } from "vitest";
import { slackMessage, type Shown } from "../../../../core/domain/connection/slack-message.ts";
import { createRooms } from "../../../../local/slack/rooms.ts";

const shownWith = (content: object, chapters: Shown["chapters"] = []): Shown => ({
  event: {
    workspaceId: "ws_1",
    eventId: "evt_1",
    content: { eventKey: "disk.full", title: "t", body: "b", priority: "HIGH", ...content },
  } as unknown as Shown["event"],
  life: { state: "open" },
  chapters,
  page: "https://alerts.example/events/evt_1?workspace=ws_1",
});
const post = (message: object) =>
  createRooms({ botToken: "xoxb-1", now: () => 0 }).call("chat.postMessage", "Bearer xoxb-1", {
    channel: "C0123456789",
    ...message,
  }).body;

it("no text of an event mentions a channel or makes a link", () => {
  const said = JSON.stringify(
    slackMessage(shownWith({ title: "<!channel> & <https://evil.example|ok>", body: "<@U1>" })),
  );

  expect(said).not.toMatch(/<!channel>|<@|<https:\/\/evil/);
  expect(said).toContain("&lt;!channel&gt; &amp; &lt;https://evil.example|ok&gt;");
});

it("whatever an event and its story hold, Slack takes the message", () => {
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
        post(slackMessage(shownWith({ title, body, data: { site: "https://a.example", site_name: name } }, chapters))),
      ).toMatchObject({ ok: true });
    }),
    { numRuns: 60 },
  );
});
