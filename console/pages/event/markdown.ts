import type { Answers } from "../../app/types.ts";
import { texts } from "../../page-texts/events.ts";
import { buildTimeline } from "./timeline-entries.ts";

/** Describes the event in Markdown, for a ticket or a report. */
export const toMarkdown = (event: Answers["Event"], pageUrl: string, nowMs: number): string => {
  const { title, eventKey, priority, state, body, detail, links, receivedAt } = event;
  const facts = [texts.priority[priority], ...(state === "none" ? [] : [texts.states[state]]), `\`${eventKey}\``];
  return [
    `# [${title}](${pageUrl})`,
    `${facts.join(" · ")} · ${receivedAt}`,
    body,
    ...(detail === null ? [] : [detail]),
    ...(links.length === 0 ? [] : [links.map(({ label, url }) => `- [${label ?? url}](${url})`).join("\n")]),
    `## ${texts.event.story}`,
    buildTimeline(event, nowMs)
      .map(({ at, text }) => `- ${at} ${text}`)
      .join("\n"),
  ]
    .join("\n\n")
    .concat("\n");
};
