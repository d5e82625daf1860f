import { priorityNow } from "../event/alert.ts";
import { cutTo, oneLine } from "../basics/text.ts";
import { toIso } from "../basics/time.ts";
import type { LifecycleView } from "../event/lifecycle.ts";
import { siteOf } from "../event/event.ts";
import type { PlannedEvent } from "../event/stored-event.ts";
import type { TimelineEntry } from "../webhook/timeline.ts";
import { pressValue } from "./slack-request.ts";

/*
 * How an event looks in a Slack channel. Only its title, body, site and links are sent, as to all other services.
 * https://docs.slack.dev/reference/block-kit
 */

/** The parts of an event that are shown, with its outcome so far. */
export type Shown = {
  event: PlannedEvent;
  life: Pick<LifecycleView, "state">;
  chapters: readonly TimelineEntry[];
  /** The page of the event. */
  page: string;
};

/** Slack takes 3,000 units of UTF-16 in a section. */
const BODY_CHARACTERS = 1_500;
const TITLE_CHARACTERS = 300;
/** For the text on a lock screen, in characters as they are sent, escapes included. */
const TEXT_CHARACTERS = 600;
const NAME_CHARACTERS = 100;
/** A message shows the last timeline entries, up to this many. */
const ENTRIES_SHOWN = 8;

/** Slack's three control characters, so that no text of an event mentions a channel or makes a link. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A text as sent, with a maximum length; no escape and no code point is cut in two. */
const fitting = (text: string, max: number): string => {
  const whole = escaped(text);
  if (whole.length <= max) return whole;
  let taken = "";
  for (const point of text) {
    const next = taken + escaped(point);
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

const words: Readonly<Record<string, string>> = {
  "event.opened": "Opened",
  "event.acknowledged": "Acknowledged",
  "event.escalated": "Escalated",
  "event.unreached": "Nobody was reached",
  "event.resolved": "Resolved",
};

/** A time that Slack shows in the reader's time zone. */
const dateOf = (ms: number): string => `<!date^${Math.floor(ms / 1000)}^{time_secs}|${toIso(ms).slice(11, 19)} UTC>`;

const lineOf = ({ type, state, by, at }: TimelineEntry): string => {
  const what = type === "event.resolved" && state === "expired" ? "Expired" : (words[type] ?? type);
  return `${what}${by === undefined || by.name === "" ? "" : ` by ${fitting(by.name, NAME_CHARACTERS)}`} ${dateOf(at)}`;
};

const plain = (text: string) => ({ type: "plain_text", text });
/** A literal text: neither `*` nor `:wave:` is parsed as markup. */
const literal = (text: string) => ({ ...plain(text), emoji: false });
const mrkdwn = (text: string) => ({ type: "mrkdwn", text });

/** The heading: no character in an event's title ends its link, or is parsed. */
const headingOf = ({ event, life, page }: Shown) => {
  const text = cutTo(oneLine(event.content.title), TITLE_CHARACTERS) || event.content.eventKey;
  const elements = [
    { type: "emoji", name: marks[life.state] },
    { type: "text", text: " " },
    { type: "link", url: page, text, style: { bold: true } },
  ];
  return { type: "rich_text", elements: [{ type: "rich_text_section", elements }] };
};

const buttonsOf = ({ event: { workspaceId, eventId }, life: { state }, page }: Shown) => {
  const value = pressValue(workspaceId, eventId);
  const isOver = state === "resolved" || state === "expired";
  const button = (actionId: string, label: string, style?: "primary") => ({
    type: "button",
    action_id: actionId,
    text: plain(label),
    value,
    ...(style === undefined ? {} : { style }),
  });
  return [
    ...(state === "open" ? [button("acknowledge", "Acknowledge", "primary")] : []),
    ...(isOver ? [] : [button("resolve", "Resolve")]),
    { type: "button", action_id: "open", text: plain("Open"), url: page },
  ];
};

/** The message of an event: the same text for the same state, so that it can be edited again and again. */
export const slackMessage = (shown: Shown) => {
  const { event, life, chapters } = shown;
  const { eventKey, title, body, data } = event.content;
  const site = siteOf(data);
  const facts = [states[life.state], priorityNow(event), eventKey, ...(site === undefined ? [] : [site.name])];
  const lines = chapters.slice(-ENTRIES_SHOWN).map(lineOf);
  return {
    text: fitting(`${states[life.state]}: ${oneLine(title)}`, TEXT_CHARACTERS),
    blocks: [
      headingOf(shown),
      { type: "section", text: literal(cutTo(body, BODY_CHARACTERS)) },
      { type: "context", elements: [literal(facts.map((fact) => cutTo(fact, NAME_CHARACTERS)).join("  ·  "))] },
      ...(lines.length === 0 ? [] : [{ type: "context", elements: [mrkdwn(lines.join("\n"))] }]),
      { type: "actions", elements: buttonsOf(shown) },
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
};
