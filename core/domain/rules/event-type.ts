import * as v from "valibot";
import type { EventContent, EventData } from "../event/event.ts";
import { FIELD_SAMPLES_MAX, SAMPLE_MAX_CODE_POINTS, TYPE_FIELDS_MAX } from "../basics/limits.ts";
import { Field } from "./matching/field.ts";

const FieldType = v.picklist(["string", "number", "boolean"]);
type FieldType = v.InferOutput<typeof FieldType>;

export const FieldShape = v.object({
  types: v.array(FieldType),
  samples: v.array(v.union([v.string(), v.number(), v.boolean()])),
});
export type FieldShape = v.InferOutput<typeof FieldShape>;

/** What is known about the fields of an event type, by path. Paths are as in conditions, such as `data.customer.tier`. */
export const DataShape = v.record(v.string(), FieldShape);
export type DataShape = v.InferOutput<typeof DataShape>;

export const EventType = v.object({ eventKey: v.string(), firstSeenAt: v.string() });
export type EventType = v.InferOutput<typeof EventType>;

export const EventTypeView = v.object({
  ...EventType.entries,
  fields: v.array(v.object({ path: v.string(), ...FieldShape.entries })),
  /** Which of the fields `detail`, `url` and `sender` events with this key had. */
  texts: v.array(v.object({ path: v.string(), ...FieldShape.entries })),
});
export type EventTypeView = v.InferOutput<typeof EventTypeView>;

type Leaf = { path: string; type: FieldType; value: string | number | boolean };

const createTextLeaf = (path: string, text: string): Leaf => ({
  path,
  type: "string",
  value: Array.from(text).slice(0, SAMPLE_MAX_CODE_POINTS).join(""),
});

/** Lists the texts, numbers, true and false in the data, at any depth, with their paths, which begin with `path`. */
const listLeaves = (data: EventData, path: string): Leaf[] =>
  Object.entries(data).flatMap(([key, value]): Leaf[] => {
    const inner = `${path}.${key}`;
    if (typeof value === "string") return [createTextLeaf(inner, value)];
    if (typeof value === "number") return [{ path: inner, type: "number", value }];
    if (typeof value === "boolean") return [{ path: inner, type: "boolean", value }];
    return listLeaves(value, inner);
  });

type EventFields = Partial<Pick<EventContent, "data" | "detail" | "url" | "sender">>;

/** Lists `detail`, `url` and `sender`, which rules can use besides `data`. */
const listTextFields = ({ detail, url, sender }: EventFields): Leaf[] => {
  const listTextLeaf = (path: string, text: string | undefined): Leaf[] =>
    text === undefined ? [] : [createTextLeaf(path, text)];
  return [...listTextLeaf("detail", detail), ...listTextLeaf("url", url), ...listTextLeaf("sender", sender?.name)];
};

/** Adds the event's fields to the known shape of the data. Returns undefined if no change is worth a write. */
export const extendDataShape = (known: DataShape | undefined, event: EventFields): DataShape | undefined => {
  const fields = new Map(Object.entries(known ?? {}));
  let learned = known === undefined;
  for (const { path, type, value } of [...listLeaves(event.data ?? {}, "data"), ...listTextFields(event)]) {
    const field = fields.get(path);
    // Skips paths that no condition can name. Paths that are already known, which is the usual case, are not checked again.
    if (field === undefined && (fields.size >= TYPE_FIELDS_MAX || !v.is(Field, path))) continue;
    const { types, samples } = field ?? { types: [], samples: [] };
    const newType = !types.includes(type);
    const newSample = samples.length < FIELD_SAMPLES_MAX && !samples.includes(value);
    if (!newType && !newSample) continue;
    fields.set(path, {
      types: newType ? [...types, type] : types,
      samples: newSample ? [...samples, value] : samples,
    });
    // New sample values alone are not worth a write; they are stored together with the next new path or type.
    learned ||= newType;
  }
  return learned ? Object.fromEntries(fields) : undefined;
};
