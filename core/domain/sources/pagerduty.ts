import * as v from "valibot";
import { toResolvedTitle } from "../event/event.ts";
import { createAdapter, fields, readFields, findText, maybe, partSchema, type Draft } from "./draft.ts";

const links = v.fallback(v.array(v.fallback(v.object({ href: maybe, text: maybe }), {})), []);
const images = v.fallback(v.array(v.fallback(v.object({ src: maybe, href: maybe, alt: maybe }), {})), []);

const Payload = v.variant(
  "event_action",
  [
    v.object({
      event_action: v.literal("trigger"),
      dedup_key: maybe,
      client: maybe,
      client_url: maybe,
      links,
      images,
      payload: v.object(
        {
          summary: v.pipe(v.string("summary must be a string."), v.nonEmpty("summary must not be empty.")),
          source: maybe,
          severity: maybe,
          timestamp: maybe,
          component: maybe,
          group: maybe,
          class: maybe,
          custom_details: v.fallback(v.optional(v.unknown()), undefined),
        },
        "payload must be an object with summary, source and severity.",
      ),
    }),
    v.object({
      event_action: v.literal("resolve"),
      dedup_key: v.pipe(v.string("dedup_key must be a string."), v.nonEmpty("dedup_key must not be empty.")),
      payload: partSchema({ summary: maybe, source: maybe, custom_details: fields }),
    }),
  ],
  "event_action must be trigger or resolve. People acknowledge in the console or the app.",
);
type Trigger = Extract<v.InferOutput<typeof Payload>, { event_action: "trigger" }>;

const formatNumberedLabel = (label: string, number: number): string => (number === 1 ? label : `${label} ${number}`);

const readLinks = ({ client, client_url: page, links: sent, images: pictures, payload }: Trigger): Draft["links"] => {
  const { custom_details: details } = payload;
  const named = new Map<string, string | undefined>();
  const addLink = (label: string, address: string | undefined): void => {
    if (findText(address) === undefined) return;
    let number = 1;
    while (named.has(formatNumberedLabel(label, number))) number += 1;
    named.set(formatNumberedLabel(label, number), address);
  };
  addLink("Runbook", findText(...runbookNames.map((name) => readFields(details)[name])));
  addLink(findText(client) ?? "Client", page);
  for (const { href, text } of sent) addLink(findText(text) ?? "Link", href);
  for (const { src, href, alt } of pictures) addLink(findText(alt) ?? "Image", findText(href, src));
  return Object.fromEntries(named);
};
const runbookNames = ["runbook_url", "runbook", "Runbook"];

/** Reads requests of PagerDuty's Events API v2. Acknowledgements are refused, because only people can acknowledge. */
export const pagerduty = createAdapter(Payload, (call): Draft[] => {
  if (call.event_action === "trigger") {
    const { summary, source, severity, custom_details: details, ...rest } = call.payload;
    return [
      {
        action: "firing",
        title: summary,
        body: summary,
        severity: [severity],
        links: readLinks(call),
        data: { source, severity, ...rest, client: call.client, details },
        key: call.dedup_key,
      },
    ];
  }
  const summary = findText(call.payload?.summary);
  const title = toResolvedTitle(summary ?? call.dedup_key);
  const untitled = summary === undefined;
  return [
    { action: "resolved", title, untitled, body: title, data: { source: call.payload?.source }, key: call.dedup_key },
  ];
});
