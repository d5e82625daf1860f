import { toDecimalKey } from "./decimal.ts";
import { readValueAtPath, isObject, parseDataPath, readField, type MatchableEvent } from "./field.ts";
import { foldCase } from "./fold-case.ts";
import type { Scalar, TextTest } from "./form.ts";
import { createEmptyValue, setValue, type Value } from "./value.ts";

/** A search for a text (needle) in a field. Rules share searches, so that each field is searched once per needle. */
export type TextSearch = {
  /** The id by which the index finds rules if a text passes the search. */
  readonly id: number;
  readonly test: TextTest;
  readonly needle: string;
  /** The number (turn) of the event for which `verdict` is valid. */
  turn: number;
  verdict: boolean;
};

/** The id of a missing value, or of a value that no rule names. */
export const UNKNOWN = -1;

/** A field that rules name, with the event's value and the values to compare with. Values have ids, which are fast to compare. */
export type Slot = {
  readonly field: string;
  readonly index: number;
  /** The id by which the index finds rules if an event has the field. */
  readonly id: number;
  readonly path: readonly string[] | undefined;
  readonly texts: Map<string, number>;
  foldedTexts: Map<string, number> | undefined;
  readonly numbers: Map<number | string, number>;
  /** The searches by needle, for each kind of test. */
  readonly searches: Partial<Record<TextTest, Map<string, TextSearch>>>;
  /** The following fields belong to the event with this number (turn). */
  turn: number;
  readonly value: Value;
  /** CRITICAL, the other spelling of URGENT, if the value is URGENT, because a condition may use either spelling. */
  alternative: string | undefined;
  folded: string | undefined;
  textId: number;
  foldedId: number;
  numberId: number;
};

/** The current event's values of the fields that a rule set names. One object is used for all events, to save memory. */
export type EventSlots = {
  readonly all: Slot[];
  readonly places: Map<string, Slot>;
  /** `byKey`: the slots of fields in `data`, by the first key of their path. */
  readonly fixed: Slot[];
  readonly byKey: Map<string, Slot[]>;
  /** The slots of fields that the event has; valid after `readEventFields`. */
  readonly filled: Slot[];
  event: MatchableEvent;
  ids: number;
  turn: number;
  /** The number (turn) of the last event that `readEventFields` read. */
  walked: number;
};

export const createEventSlots = (): EventSlots => ({
  all: [],
  places: new Map(),
  fixed: [],
  byKey: new Map(),
  filled: [],
  event: { eventKey: "", title: "", body: "", priority: "" },
  ids: 0,
  turn: 0,
  walked: 0,
});

export const takeNextId = (slots: EventSlots): number => (slots.ids += 1);

export const findOrAddSlot = (slots: EventSlots, field: string): Slot => {
  const known = slots.places.get(field);
  if (known !== undefined) return known;
  const path = parseDataPath(field);
  const slot: Slot = {
    field,
    index: slots.all.length,
    id: takeNextId(slots),
    path,
    texts: new Map(),
    foldedTexts: undefined,
    numbers: new Map(),
    searches: {},
    turn: 0,
    value: createEmptyValue(),
    alternative: undefined,
    folded: undefined,
    textId: UNKNOWN,
    foldedId: UNKNOWN,
    numberId: UNKNOWN,
  };
  slots.all.push(slot);
  slots.places.set(field, slot);
  const [first] = path ?? [];
  if (first === undefined) slots.fixed.push(slot);
  else {
    const beside = slots.byKey.get(first);
    if (beside === undefined) slots.byKey.set(first, [slot]);
    else beside.push(slot);
  }
  return slot;
};

/** Returns the text of the slot's value in folded case, which is computed once per event. */
export const foldSlotText = (slot: Slot, text: string): string => (slot.folded ??= foldCase(text));

/** Stores the current event's value of the field in the slot, with the ids by which conditions find the value. */
const fillSlot = (slot: Slot, slots: EventSlots, fieldValue: unknown): void => {
  const { value, texts, foldedTexts, numbers } = slot;
  setValue(value, fieldValue);
  slot.turn = slots.turn;
  slot.folded = undefined;
  slot.textId = typeof value.raw === "string" && texts.size > 0 ? (texts.get(value.raw) ?? UNKNOWN) : UNKNOWN;
  if (foldedTexts !== undefined)
    slot.foldedId =
      typeof value.raw === "string" ? (foldedTexts.get(foldSlotText(slot, value.raw)) ?? UNKNOWN) : UNKNOWN;
  slot.numberId =
    numbers.size > 0 && !Number.isNaN(value.number) ? (numbers.get(toDecimalKey(value)) ?? UNKNOWN) : UNKNOWN;
  if (slot.field === "priority") slot.alternative = value.raw === "URGENT" ? "CRITICAL" : undefined;
};

export const readSlot = (slot: Slot, slots: EventSlots): Value => {
  if (slot.turn !== slots.turn) {
    fillSlot(slot, slots, slots.walked === slots.turn ? undefined : readField(slot.path ?? slot.field, slots.event));
  }
  return slot.value;
};

export const setCurrentEvent = (slots: EventSlots, event: MatchableEvent): void => {
  slots.event = event;
  // Compiled rules store an event's number (turn) in 32 bits. The number 0 is skipped, because 0 means "no event yet".
  slots.turn = (slots.turn + 1) | 0 || 1;
};

const getFirstKeyPart = (key: string): string => {
  const dot = key.indexOf(".");
  return dot < 0 ? key : key.slice(0, dot);
};

/** Fills the slots of all fields that the event has. Loops over the event's keys, because there are more slots than keys. */
export const readEventFields = (slots: EventSlots): void => {
  const { byKey, filled, event, turn } = slots;
  if (slots.walked === turn) return;
  filled.length = 0;
  const fillField = (slot: Slot, found: unknown): void => {
    if (found === undefined || found === null) return;
    if (slot.turn !== turn) fillSlot(slot, slots, found);
    filled.push(slot);
  };
  for (const slot of slots.fixed) fillField(slot, readField(slot.field, event));
  const { data } = event;
  if (byKey.size > 0 && isObject(data)) {
    // `for in` is faster than a list of keys, and safe because data from JSON has no inherited keys.
    for (const key in data) {
      const own = data[key];
      const keySlots = byKey.get(key) ?? byKey.get(getFirstKeyPart(key));
      if (keySlots === undefined) continue;
      for (const slot of keySlots) {
        const { path = [] } = slot;
        if (path.length > 1) fillField(slot, readValueAtPath(data, path));
        else if (path[0] === key) fillField(slot, own);
      }
    }
  }
  slots.walked = turn;
};

const findOrAddId = <Key>(ids: Map<Key, number>, key: Key, slots: EventSlots): number => {
  const known = ids.get(key);
  if (known !== undefined) return known;
  const id = takeNextId(slots);
  ids.set(key, id);
  return id;
};

/** The ids of a value that rules name. A number has no text id; a text has a number id only if the text is decimal. */
export type KnownValue = { textId: number; numberId: number };

const findOrAddTextId = (slot: Slot, text: string, ignoresCase: boolean, slots: EventSlots): number =>
  ignoresCase
    ? findOrAddId((slot.foldedTexts ??= new Map()), foldCase(text), slots)
    : findOrAddId(slot.texts, text, slots);

/** Assigns ids to a condition's value. Call this before `setCurrentEvent`, so that an equal value of an event gets these ids. */
export const registerValue = (slot: Slot, scalar: Scalar, ignoresCase: boolean, slots: EventSlots): KnownValue => {
  const value = createEmptyValue();
  setValue(value, slot.field === "priority" && scalar === "CRITICAL" ? "URGENT" : scalar);
  return {
    textId: typeof value.raw === "string" ? findOrAddTextId(slot, value.raw, ignoresCase, slots) : UNKNOWN,
    numberId: Number.isNaN(value.number) ? UNKNOWN : findOrAddId(slot.numbers, toDecimalKey(value), slots),
  };
};
