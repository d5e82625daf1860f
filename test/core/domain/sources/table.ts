import * as v from "valibot";
import { expect, it } from "vitest";
import type { ToolName } from "../../../../core/domain/basics/source-name.ts";
import { fitDraft } from "../../../../core/domain/sources/fit.ts";
import { sources } from "../../../../core/domain/sources/index.ts";

/** Builds an event from "key PRIORITY | title | body" (the body is the title by default) and its other fields. */
export const event = <More extends object>(head: string, fields: More = {} as More) => {
  const [kind = "", title = "", body = title] = head.split(" | ");
  const [eventKey, priority] = kind.split(" ");
  return { eventKey, title, body, priority, ...fields };
};

export const omitFields = <Data extends object>(data: Data, ...names: (keyof Data & string)[]): object =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !(names as string[]).includes(name)));

/** A tool's message, the complete events it becomes, and the messages of the warnings. */
export type Row = readonly [payload: object, events: object | object[], warnings?: readonly string[]];

export const testMessages = (source: ToolName, rows: Readonly<Record<string, Row>>): void =>
  it.each(Object.entries(rows))(
    `the ${source} adapter creates the listed events: %s`,
    (_, [payload, expected, warned = []]) => {
      const fitted = v.parse(sources[source].adapter, payload).map((draft) => fitDraft(source, draft));

      const events = fitted.map(({ event, changedAt, formerKey, once }) => ({
        ...event,
        ...(changedAt === undefined ? {} : { changedAt }),
        ...(formerKey === undefined ? {} : { formerKey }),
        ...(once === undefined ? {} : { once }),
      }));
      expect(events).toStrictEqual([expected].flat());
      expect(fitted.flatMap(({ warnings }) => warnings.map(({ message }) => message))).toEqual(warned);
    },
  );

/** Tests messages of a tool whose whole payload becomes the event's `data`, which is therefore not compared. */
export const testWithoutData = (
  source: ToolName,
  rows: Readonly<Record<string, readonly [payload: object, event: object]>>,
): void =>
  it.each(Object.entries(rows))(`the ${source} adapter creates the listed events: %s`, (_, [payload, expected]) => {
    const [fitted, ...others] = v.parse(sources[source].adapter, payload).map((draft) => fitDraft(source, draft));
    const { data: _data, ...event } = { data: undefined, ...fitted?.event };

    expect({ ...event, changedAt: fitted?.changedAt, once: fitted?.once }).toEqual(expected);
    expect([...others, ...(fitted?.warnings ?? [])]).toEqual([]);
  });
