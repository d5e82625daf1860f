import * as v from "valibot";
import { Priority } from "../basics/priority.ts";

/* A person can add people to an event. The service itself can add people when an acknowledgement ends. */

/** The rule index of packs for added people, higher than the index of any rule. */
export const ADDED_RULE = 999_999;

export const addedReasons = [
  "still_on_it",
  "open_again",
  "told",
  "escalated",
  "handed_over",
  "flapping",
  "raised",
  "still_failing",
  "repeated",
] as const;
export const Added = v.object({
  because: v.picklist(addedReasons),
  /** The person who added people; absent if the service added them. */
  by: v.optional(v.object({ id: v.string(), name: v.string() })),
  note: v.optional(v.string()),
  /** When the acknowledgement (`still_on_it`) or the hold (`flapping`) ends, in milliseconds. */
  until: v.optional(v.number()),
  repeats: v.optional(v.number()),
});
export type Added = v.InferOutput<typeof Added>;

/** People whom a request adds to an event. A second addition with the same `once` is ignored. */
export const Addition = v.object({ ...Added.entries, once: v.string(), priority: Priority, requiresAck: v.boolean() });
export type Addition = v.InferOutput<typeof Addition>;

const formatUtcTime = (iso: string): string => `${iso.slice(11, 16)} UTC`;

/** Returns the title and body of a push to an added person. `untilIso`: when the acknowledgement or the hold ends. */
export const formatTextForAddedPerson = (
  { because, by, note, repeats = 1 }: Added,
  { title, body }: { title: string; body: string },
  untilIso: string,
): { title: string; body: string } => {
  const noted = note === undefined ? "" : `: ${note}`;
  switch (because) {
    case "still_on_it":
      return {
        title: `Still on it? ${title}`,
        body: `Your acknowledgement ends at ${formatUtcTime(untilIso)}. Acknowledge again to keep it.`,
      };
    case "open_again":
      return { title: `Open again: ${title}`, body };
    case "told":
      return { title, body: `${by?.name || "Somebody"} notified you${noted}. ${body}` };
    case "escalated":
      return { title, body: `${by?.name || "Somebody"} escalated this alert${noted}. ${body}` };
    case "handed_over":
      return {
        title: `Handed off: ${title}`,
        body: `${by?.name || "Somebody"} acknowledged it and is no longer on call. ${body}`,
      };
    case "flapping":
      return {
        title: `Flapping: ${title}`,
        body: `This alert keeps opening and closing. You will be notified at ${formatUtcTime(untilIso)} if it is still open. ${body}`,
      };
    case "raised":
      return { title: `Worse: ${title}`, body };
    case "still_failing":
      return {
        title: `Still failing: ${title}`,
        body: `${repeats} ${repeats === 1 ? "repeat" : "repeats"} since you acknowledged it. ${body}`,
      };
    case "repeated":
      return { title, body };
  }
};
