import { getCurrentPriority } from "../event/alert.ts";
import { readSite } from "../event/event.ts";
import type { PlannedEvent } from "../event/stored-event.ts";
import type { TimelineEntry } from "../webhook/timeline.ts";
import { shortenText, joinLines } from "../basics/text.ts";
import { toIso } from "../basics/time.ts";
import { describeTimelineEntry } from "./connection.ts";

/* Each timeline entry is an Adaptive Card, posted by a workflow. Teams workflows cannot edit cards or report pressed buttons. */

const TITLE_CHARACTERS = 200;
const BODY_CHARACTERS = 2_000;

const colours: Readonly<Record<string, string>> = { open: "Attention", acknowledged: "Warning", resolved: "Good" };

/** Shortens an event's text and escapes it, so that it contains no links, emphasis and lists. */
const escapeMarkdown = (text: string, max: number): string =>
  shortenText(text, max).replaceAll(/[\\*_[\]()#`~>-]/g, String.raw`\$&`);

const createTextBlock = (value: string, options: object = {}) => ({
  type: "TextBlock",
  text: value,
  wrap: true,
  ...options,
});

const formatTeamsMessage = (body: readonly object[], actions: readonly object[] = []): string =>
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

export const buildTestCard = (name: string): string =>
  formatTeamsMessage([createTextBlock(`The connection ${escapeMarkdown(name, TITLE_CHARACTERS)} posts alerts here.`)]);

export const buildTeamsCard = (event: PlannedEvent, entry: TimelineEntry, eventUrl: string): string => {
  const { title, body, eventKey, data } = event.content;
  const site = readSite(data);
  const facts = [
    { title: "Priority", value: getCurrentPriority(event) },
    { title: "Event key", value: escapeMarkdown(eventKey, TITLE_CHARACTERS) },
    ...(site === undefined ? [] : [{ title: "Site", value: escapeMarkdown(site.name, TITLE_CHARACTERS) }]),
    { title: "At", value: toIso(entry.at) },
  ];
  return formatTeamsMessage(
    [
      createTextBlock(escapeMarkdown(describeTimelineEntry(entry), TITLE_CHARACTERS), {
        weight: "Bolder",
        color: colours[entry.state] ?? "Default",
      }),
      createTextBlock(escapeMarkdown(joinLines(title), TITLE_CHARACTERS), { size: "Large", weight: "Bolder" }),
      createTextBlock(escapeMarkdown(body, BODY_CHARACTERS)),
      { type: "FactSet", facts },
    ],
    [{ type: "Action.OpenUrl", title: "Open the event", url: eventUrl }],
  );
};
