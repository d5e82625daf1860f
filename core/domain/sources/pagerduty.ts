import * as v from "valibot";
import { adapter, fields, first, maybe, part, priorityOf, type Draft } from "./draft.ts";

const links = v.fallback(v.array(v.fallback(v.object({ href: maybe, text: maybe }), {})), []);

const Payload = v.variant(
  "event_action",
  [
    v.object({
      event_action: v.literal("trigger"),
      dedup_key: maybe,
      client: maybe,
      client_url: maybe,
      links,
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
      payload: part({ summary: maybe, source: maybe, custom_details: fields }),
    }),
  ],
  "event_action must be trigger or resolve: here people acknowledge, signed in to the console or the app.",
);

/** Calls of PagerDuty's Events API v2. Here only people acknowledge, so a program's acknowledgement is refused. */
export const pagerduty = adapter(Payload, (call): Draft[] => {
  if (call.event_action === "trigger") {
    const { summary, source, severity, custom_details: details, ...rest } = call.payload;
    return [
      {
        action: "firing",
        title: summary,
        body: summary,
        priority: priorityOf(severity),
        url: first(call.client_url, ...call.links.map(({ href }) => href)),
        data: { source, severity, ...rest, client: call.client, details },
        key: call.dedup_key,
      },
    ];
  }
  const title = `Resolved: ${first(call.payload?.summary) ?? call.dedup_key}`;
  return [{ action: "resolved", title, body: title, data: { source: call.payload?.source }, key: call.dedup_key }];
});
