import { decimalKey } from "./decimal.ts";
import { fieldReader, type MatchableEvent, type ReadField } from "./field.ts";
import type { Scalar } from "./form.ts";
import { emptyGrams, markGrams, type Grams } from "./grams.ts";
import type { TextSearch } from "./search.ts";
import { emptyValue, setValue, textOf, type Value } from "./value.ts";

/** No rule names this value, or there is none. */
export const UNKNOWN = -1;

/**
 * One field that rules name, the values that they compare it with (each known by a number, so that comparing is quick
 * and compact), and what the current event holds there, worked out once an event and only as far as a rule asks.
 */
export type Slot = {
  readonly field: string;
  readonly place: number;
  readonly read: ReadField;
  readonly texts: Map<string, number>;
  readonly numbers: Map<number | string, number>;
  /** The needles that rules search its text for, by the code of the test. */
  readonly searches: readonly [Map<string, TextSearch>, Map<string, TextSearch>, Map<string, TextSearch>];
  readonly value: Value;
  /** The other spelling of an URGENT priority: what holds for either holds. */
  alternative: string | undefined;
  textId: number;
  numberId: number;
  grams: Grams | undefined;
  /** The turns of the events that value, ids and grams belong to. */
  turn: number;
  idsTurn: number;
  gramsTurn: number;
};

/** The event at hand, as the rules of one set see it. Reused for every event, so that matching allocates little. */
export type EventView = {
  readonly slots: Slot[];
  readonly places: Map<string, Slot>;
  event: MatchableEvent;
  turn: number;
};

export const createEventView = (): EventView => ({
  slots: [],
  places: new Map(),
  event: { eventKey: "", title: "", body: "", priority: "" },
  turn: 0,
});

export const slotOf = (view: EventView, field: string): Slot => {
  const known = view.places.get(field);
  if (known !== undefined) return known;
  const slot: Slot = {
    field,
    place: view.slots.length,
    read: fieldReader(field),
    texts: new Map(),
    numbers: new Map(),
    searches: [new Map(), new Map(), new Map()],
    value: emptyValue(),
    alternative: undefined,
    textId: UNKNOWN,
    numberId: UNKNOWN,
    grams: undefined,
    turn: 0,
    idsTurn: 0,
    gramsTurn: 0,
  };
  view.slots.push(slot);
  view.places.set(field, slot);
  return slot;
};

export const showEvent = (view: EventView, event: MatchableEvent): void => {
  const target = view;
  target.event = event;
  target.turn += 1;
};

export const readSlot = (slot: Slot, view: EventView): Value => {
  const target = slot;
  if (slot.turn !== view.turn) {
    target.turn = view.turn;
    setValue(slot.value, slot.read(view.event));
    if (slot.field === "priority") target.alternative = slot.value.raw === "URGENT" ? "CRITICAL" : undefined;
  }
  return slot.value;
};

/** Finds the numbers under which the rules know the event's value, as a text and as a number. */
export const identify = (slot: Slot, view: EventView): void => {
  const target = slot;
  if (slot.idsTurn === view.turn) return;
  target.idsTurn = view.turn;
  const value = readSlot(slot, view);
  target.textId = typeof value.raw === "string" ? (slot.texts.get(value.raw) ?? UNKNOWN) : UNKNOWN;
  target.numberId =
    slot.numbers.size > 0 && !Number.isNaN(value.number) ? (slot.numbers.get(decimalKey(value)) ?? UNKNOWN) : UNKNOWN;
};

const intern = <Key>(ids: Map<Key, number>, key: Key): number => {
  const known = ids.get(key);
  if (known !== undefined) return known;
  ids.set(key, ids.size);
  return ids.size - 1;
};

/** A rule's value as the slot knows it. A number has no text id; a text that is no decimal number has no number id. */
export type KnownValue = { textId: number; numberId: number };

export const learnValue = (slot: Slot, scalar: Scalar): KnownValue => {
  const target = slot;
  // The event in view may hold just this value, and have been asked before there was a number for it.
  target.idsTurn = 0;
  const value = emptyValue();
  setValue(value, slot.field === "priority" && scalar === "CRITICAL" ? "URGENT" : scalar);
  return {
    textId: typeof value.raw === "string" ? intern(slot.texts, value.raw) : UNKNOWN,
    numberId: Number.isNaN(value.number) ? UNKNOWN : intern(slot.numbers, decimalKey(value)),
  };
};

/** In characters scanned: verifying one rule, clearing the set, marking one character. Measured, not exact. */
const VERIFY_COST = 20;
const CLEAR_COST = 50;
const SEARCH_COST = 1 / 16;

/** The three-character runs of the field's text; undefined where they cost more than looking at `needles` needles. */
export const gramsOf = (slot: Slot, view: EventView, needles: number): Grams | undefined => {
  const target = slot;
  if (slot.gramsTurn === view.turn) return slot.grams;
  const text = textOf(readSlot(slot, view)) ?? "";
  if (needles * (VERIFY_COST + text.length * SEARCH_COST) < CLEAR_COST + text.length) return undefined;
  const grams = slot.grams ?? emptyGrams();
  target.grams = grams;
  target.gramsTurn = view.turn;
  markGrams(grams, text);
  return grams;
};
