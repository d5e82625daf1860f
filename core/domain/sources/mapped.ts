import * as v from "valibot";
import { toIssuePath } from "../basics/refusal.ts";
import type { Mapping } from "../basics/mapping.ts";
import { canonicalizePriority } from "../basics/priority.ts";
import { severityToPriority, parseTime, type Action, type Adapter, type Draft } from "./draft.ts";
import { findValueAt, parseNestedJson, createTextReader, type TextReader } from "./paths.ts";

/** A smaller number is a time in seconds (until the year 5138), a larger number a time in milliseconds (from the year 1973). */
const SECONDS_BELOW = 1e11;
/** Parses ISO 8601, or seconds or milliseconds since 1970, into milliseconds. */
const parseChangeTime = (text: string | undefined): number | undefined => {
  if (text === undefined || !/^\d+(?:\.\d+)?$/.test(text)) return parseTime(text);
  const number = Number(text);
  return Math.round(number < SECONDS_BELOW ? number * 1000 : number);
};

/** Returns the action for the message's state; undefined if the message creates no event. */
const chooseAction = ({ firing, resolved, ignored }: Mapping, read: TextReader): Action | undefined => {
  const isInState = (state: Mapping["firing"]): boolean => state?.is.includes(read(state.path) ?? "") === true;
  if (isInState(ignored)) return undefined;
  if (isInState(resolved)) return "resolved";
  return firing === undefined || isInState(firing) ? "firing" : undefined;
};

/** Returns the first mapped text that the message contains. `separator`: joins texts that the mapping joins without `with`. */
const findFirstMappedText = (
  texts: Mapping["title"] | undefined,
  read: TextReader,
  separator: string,
): string | undefined => {
  for (const one of texts ?? []) {
    const paths = typeof one === "string" ? [one] : one.join;
    const found = paths.flatMap((path) => read(path) ?? []);
    if (found.length > 0) return found.join((typeof one === "string" ? undefined : one.with) ?? separator);
  }
  return undefined;
};

const toAlertDrafts = (mapping: Mapping, payload: object, alert: object): Draft[] => {
  const read = createTextReader(alert, payload);
  const action = chooseAction(mapping, read);
  if (action === undefined) return [];
  const { priorities = {}, priority: levels = [], url: urls = [], dedupeKey = [], changedAt = [] } = mapping;
  const words = levels.flatMap((path) => read(path) ?? []);
  const [word] = words;
  const own = word !== undefined && Object.hasOwn(priorities, word) ? priorities[word] : undefined;
  const links = urls.flatMap((path) => read(path) ?? []);
  return [
    {
      action,
      title: findFirstMappedText(mapping.title, read, ": ") ?? "",
      body: findFirstMappedText(mapping.body, read, "\n") ?? "",
      detail: findFirstMappedText(mapping.detail, read, "\n"),
      priority:
        own === undefined
          ? words.map(severityToPriority).find((known) => known !== undefined)
          : canonicalizePriority(own),
      severity: own === undefined ? words : [],
      url: links.find((link) => URL.canParse(link)) ?? links[0],
      data: { ...alert },
      key: dedupeKey.flatMap((path) => read(path) ?? []).join(":"),
      changedAt: parseChangeTime(read(...changedAt)),
    },
  ];
};

const Alerts = v.array(v.looseObject({}));

/** Returns an adapter that follows the mapping. The mapping's `alerts` must be the path of a list of objects. */
export const createMappedAdapter = (mapping: Mapping): Adapter => {
  const { alerts: path, each } = mapping;
  const Message = v.pipe(
    v.looseObject({}),
    v.rawTransform(({ dataset: { value: payload }, addIssue, NEVER }): Draft[] => {
      if (path === undefined) return toAlertDrafts(mapping, payload, payload);
      const alerts = v.safeParse(Alerts, parseNestedJson(findValueAt(payload, path)));
      if (alerts.success) return alerts.output.flatMap((alert) => toAlertDrafts(mapping, payload, alert));
      const message = `${path} must be a list of objects, as the API key's mapping says.`;
      addIssue({ message, path: toIssuePath(payload, path) });
      return NEVER;
    }),
  );
  if (each === undefined) return Message;
  // Some tools send one message instead of a list of messages.
  const Messages = v.pipe(
    v.array(Message),
    v.transform((drafts) => drafts.flat()),
  );
  return v.lazy((body) => (Array.isArray(body) ? Messages : Message));
};
