import * as v from "valibot";
import type { Mapping } from "../basics/mapping.ts";
import { canonicalPriority } from "../basics/priority.ts";
import { first, maybe, priorityOf, timeOf, type Adapter, type Draft } from "./draft.ts";

const at = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce(
      (within: unknown, name): unknown =>
        typeof within === "object" && within !== null && Object.hasOwn(within, name)
          ? Reflect.get(within, name)
          : undefined,
      value,
    );

const textOf = (value: unknown): string | undefined => first(v.safeParse(maybe, value).output);

/** Where the digits of a time in seconds end, and those of one in milliseconds begin: the year 5138, and March 1973. */
const SECONDS_BELOW = 1e11;
const changeOf = (written: string | undefined): number | undefined => {
  if (written === undefined || !/^\d+(?:\.\d+)?$/.test(written)) return timeOf(written);
  const number = Number(written);
  return Math.round(number < SECONDS_BELOW ? number * 1000 : number);
};

const draftOf = (mapping: Mapping, payload: object, alert: object): Draft => {
  const textAt = (path: string): string | undefined => textOf(at(alert, path)) ?? textOf(at(payload, path));
  const textsAt = (paths: readonly string[] = []): string[] => paths.flatMap((path) => textAt(path) ?? []);
  const firstAt = (paths?: readonly string[]): string | undefined => textsAt(paths)[0];
  const { resolved, priorities = {} } = mapping;
  const state = resolved === undefined ? undefined : textAt(resolved.path);
  const level = firstAt(mapping.priority);
  const own = level !== undefined && Object.hasOwn(priorities, level) ? priorities[level] : undefined;
  return {
    action: state !== undefined && resolved?.is.includes(state) === true ? "resolved" : "firing",
    title: firstAt(mapping.title) ?? "",
    body: firstAt(mapping.body) ?? "",
    detail: firstAt(mapping.detail),
    priority: own === undefined ? priorityOf(level) : canonicalPriority(own),
    url: firstAt(mapping.url),
    data: { ...alert },
    key: textsAt(mapping.dedupeKey).join(":"),
    changedAt: changeOf(firstAt(mapping.changedAt)),
  };
};

/** Reads the alerts of any payload by a mapping; what it has of `alerts` must be a list of objects. */
export const mappedBy = (mapping: Mapping): Adapter => {
  const { alerts: path } = mapping;
  if (path === undefined)
    return v.pipe(
      v.looseObject({}),
      v.transform((payload) => [draftOf(mapping, payload, payload)]),
    );
  const message = `${path} must be a list of objects, as the API key's mapping says.`;
  const Alerts = v.array(v.looseObject({}, message), message);
  return v.pipe(
    v.looseObject({}),
    v.rawTransform(({ dataset: { value: payload }, addIssue, NEVER }): Draft[] => {
      const alerts = v.safeParse(Alerts, at(payload, path));
      if (alerts.success) return alerts.output.map((alert) => draftOf(mapping, payload, alert));
      addIssue({ message, path: [{ type: "object", origin: "value", input: payload, key: path, value: undefined }] });
      return NEVER;
    }),
  );
};
