import { priorityNow } from "../event/alert.ts";
import { siteOf } from "../event/event.ts";
import type { PlannedEvent } from "../event/stored-event.ts";
import type { TimelineEntry } from "../webhook/timeline.ts";
import { cutTo, oneLine } from "../basics/text.ts";
import { toIso } from "../basics/time.ts";

/*
 * How a timeline entry looks in a Teams channel: an Adaptive Card in the message that a workflow posts. Workflows return no
 * presses and edit nothing, so each entry is its own card, and its button opens the event.
 */

const TITLE_CHARACTERS = 200;
const BODY_CHARACTERS = 2_000;

const colours: Readonly<Record<string, string>> = {
  open: "Attention",
  acknowledged: "Warning",
  resolved: "Good",
};

const words: Readonly<Record<string, string>> = {
  "event.opened": "Opened",
  "event.acknowledged": "Acknowledged",
  "event.escalated": "Escalated",
  "event.unreached": "Nobody was reached",
  "event.resolved": "Resolved",
};

/** Adaptive Cards parse some Markdown: links, emphasis and lists, which no event's text may create. */
const plain = (text: string, max: number): string => cutTo(text, max).replaceAll(/[\\*_[\]()#`~>-]/g, String.raw`\$&`);

const text = (value: string, more: object = {}) => ({ type: "TextBlock", text: value, wrap: true, ...more });

/** A card in the message that a workflow posts. */
const messageOf = (body: readonly object[], actions: readonly object[] = []): string =>
  JSON.stringify({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body,
          actions,
        },
      },
    ],
  });

export const testCard = (name: string): string =>
  messageOf([text(`Alerts come here, by the connection ${plain(name, TITLE_CHARACTERS)}.`)]);

export const teamsCard = (event: PlannedEvent, { type, state, by, at }: TimelineEntry, page: string): string => {
  const { title, body, eventKey, data } = event.content;
  const site = siteOf(data);
  const what = type === "event.resolved" && state === "expired" ? "Expired" : (words[type] ?? type);
  const happened = `${what}${by === undefined || by.name === "" ? "" : ` by ${by.name}`}`;
  const facts = [
    { title: "Priority", value: priorityNow(event) },
    { title: "Event key", value: plain(eventKey, TITLE_CHARACTERS) },
    ...(site === undefined ? [] : [{ title: "Site", value: plain(site.name, TITLE_CHARACTERS) }]),
    { title: "At", value: toIso(at) },
  ];
  return messageOf(
    [
      text(plain(happened, TITLE_CHARACTERS), { weight: "Bolder", color: colours[state] ?? "Default" }),
      text(plain(oneLine(title), TITLE_CHARACTERS), { size: "Large", weight: "Bolder" }),
      text(plain(body, BODY_CHARACTERS)),
      { type: "FactSet", facts },
    ],
    [{ type: "Action.OpenUrl", title: "Open the event", url: page }],
  );
};
