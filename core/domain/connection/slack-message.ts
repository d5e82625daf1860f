import { getCurrentPriority } from "../event/alert.ts";
import { shortenText, joinLines } from "../basics/text.ts";
import { toIso } from "../basics/time.ts";
import type { LifecycleView } from "../event/lifecycle.ts";
import { readSite } from "../event/event.ts";
import type { PlannedEvent } from "../event/stored-event.ts";
import type { TimelineEntry } from "../webhook/timeline.ts";
import { describeTimelineEntry } from "./connection.ts";
import { encodeButtonValue } from "./slack-request.ts";

/* Slack gets an event's title, body, site name and links, but never its data. https://docs.slack.dev/reference/block-kit */

export type Input = {
  event: Pick<PlannedEvent, "workspaceId" | "eventId" | "content">;
  life: Pick<LifecycleView, "state">;
  chapters: readonly TimelineEntry[];
  eventUrl: string;
};

/** Slack allows 3,000 UTF-16 units in a section. */
const BODY_CHARACTERS = 1_500;
const TITLE_CHARACTERS = 300;
/** The maximum length of the fallback text (for lock screens), including escapes. */
const TEXT_CHARACTERS = 600;
const NAME_CHARACTERS = 100;
const ENTRIES_SHOWN = 8;

/** Escapes three characters, so that an event's text can neither mention channels nor add links. */
const escapeSlackControls = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Escapes the text and shortens it to `max` characters, without splitting an escape or a code point. */
const escapeAndCut = (text: string, max: number): string => {
  const whole = escapeSlackControls(text);
  if (whole.length <= max) return whole;
  let taken = "";
  for (const point of text) {
    const next = taken + escapeSlackControls(point);
    if (next.length >= max) break;
    taken = next;
  }
  return `${taken}…`;
};

const marks: Readonly<Record<LifecycleView["state"], string>> = {
  none: "large_blue_circle",
  open: "red_circle",
  acknowledged: "large_yellow_circle",
  resolved: "white_check_mark",
  expired: "heavy_minus_sign",
};

const states: Readonly<Record<LifecycleView["state"], string>> = {
  none: "Told",
  open: "Open",
  acknowledged: "Acknowledged",
  resolved: "Resolved",
  expired: "Expired",
};

/** Formats a time (`at`, in milliseconds), which Slack shows in the reader's time zone. */
const formatSlackTime = (at: number): string =>
  `<!date^${Math.floor(at / 1000)}^{time_secs}|${toIso(at).slice(11, 19)} UTC>`;

const formatTimelineEntry = (entry: TimelineEntry): string =>
  `${describeTimelineEntry(entry, (name) => escapeAndCut(name, NAME_CHARACTERS))} ${formatSlackTime(entry.at)}`;

const createPlainText = (text: string) => ({ type: "plain_text", text });
/** Creates a text in which Slack does not interpret `*` or `:wave:`. */
const createLiteralText = (text: string) => ({ ...createPlainText(text), emoji: false });

/** Builds the linked heading as rich text, in which Slack interprets no characters. */
const buildLinkedHeading = ({ event, life, eventUrl }: Input) => {
  const text = shortenText(joinLines(event.content.title), TITLE_CHARACTERS) || event.content.eventKey;
  const elements = [
    { type: "emoji", name: marks[life.state] },
    { type: "text", text: " " },
    { type: "link", url: eventUrl, text, style: { bold: true } },
  ];
  return { type: "rich_text", elements: [{ type: "rich_text_section", elements }] };
};

const buildButtons = ({ event: { workspaceId, eventId }, life: { state }, eventUrl }: Input) => {
  const value = encodeButtonValue(workspaceId, eventId);
  const isOver = state === "resolved" || state === "expired";
  const createButton = (actionId: string, label: string, style?: "primary") => ({
    type: "button",
    action_id: actionId,
    text: createPlainText(label),
    value,
    ...(style === undefined ? {} : { style }),
  });
  return [
    ...(state === "open" ? [createButton("acknowledge", "Acknowledge", "primary")] : []),
    ...(isOver ? [] : [createButton("resolve", "Resolve")]),
    { type: "button", action_id: "open", text: createPlainText("Open"), url: eventUrl },
  ];
};

/** Builds the message of an event. The same state always gives the same text, so that a repeated edit changes nothing. */
export const buildSlackMessage = (shown: Input) => {
  const { event, life, chapters } = shown;
  const { eventKey, title, body, data } = event.content;
  const site = readSite(data);
  const facts = [states[life.state], getCurrentPriority(event), eventKey, ...(site === undefined ? [] : [site.name])];
  const lines = chapters.slice(-ENTRIES_SHOWN).map(formatTimelineEntry);
  return {
    text: escapeAndCut(`${states[life.state]}: ${joinLines(title)}`, TEXT_CHARACTERS),
    blocks: [
      buildLinkedHeading(shown),
      { type: "section", text: createLiteralText(shortenText(body, BODY_CHARACTERS)) },
      {
        type: "context",
        elements: [createLiteralText(facts.map((fact) => shortenText(fact, NAME_CHARACTERS)).join("  ·  "))],
      },
      ...(lines.length === 0 ? [] : [{ type: "context", elements: [{ type: "mrkdwn", text: lines.join("\n") }] }]),
      { type: "actions", elements: buildButtons(shown) },
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
};
