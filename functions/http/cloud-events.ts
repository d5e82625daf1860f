import {
  readAttributes,
  CLOUD_EVENT_TYPE,
  CLOUD_EVENTS_TYPE,
  CloudEvent,
  CloudEvents,
  type TakenCloudEvent,
} from "../../core/domain/sources/cloud-event.ts";
import { readContent, readJson, readList, readValue, readMediaType } from "./body.ts";
import type { HttpRequest } from "./request.ts";

/** A request with CloudEvents, in one of the three modes of the HTTP binding. */
export type CloudEventsRequest =
  | { mode: "single"; taken: TakenCloudEvent }
  | { mode: "batch"; taken: readonly TakenCloudEvent[] };

/** Reads the CloudEvents of a request; undefined if the request contains no CloudEvents. */
export const readCloudEvents = (request: HttpRequest): CloudEventsRequest | undefined => {
  const type = readMediaType(request);
  if (type === CLOUD_EVENT_TYPE) return { mode: "single", taken: readValue(CloudEvent, readJson(request, [type])) };
  if (type === CLOUD_EVENTS_TYPE) return { mode: "batch", taken: readValue(CloudEvents, readList(request, [type])) };
  const attributes = readAttributes(request.headers);
  if (attributes === undefined) return undefined;
  const { content, isRead } = readContent(request);
  const { event, warnings } = readValue(CloudEvent, { ...attributes, data: content });
  const message = `data was dropped: its Content-Type is neither JSON nor text.`;
  return {
    mode: "single",
    taken: { event, warnings: isRead ? warnings : [...warnings, { field: "data", code: "not_kept", message }] },
  };
};
