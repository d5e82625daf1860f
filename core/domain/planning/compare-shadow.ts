import * as v from "valibot";
import { fromIso, toIso } from "../basics/time.ts";
import { ShadowView } from "../delivery/shadow-plan.ts";
import { type Incumbent, IncumbentView } from "../event/incumbent.ts";
import { Shadow } from "../workspace/shadow.ts";
import { compareNotified, verdicts } from "./comparison.ts";

const Notified = v.nullable(v.object({ person: v.string(), at: v.string() }));

const Compared = v.object({ verdict: v.picklist(verdicts), theirs: Notified, ours: Notified });
type Compared = v.InferOutput<typeof Compared>;

export const ShadowComparison = v.object({
  /** When the shadow began; null if the workspace never had a shadow. */
  since: v.nullable(Shadow.entries.since),
  until: v.nullable(Shadow.entries.until),
  active: v.boolean(),
  items: v.array(
    v.object({
      id: v.string(),
      eventKey: v.string(),
      title: v.string(),
      receivedAt: v.string(),
      ...ShadowView.entries,
      incumbent: v.array(IncumbentView),
      /** Whom both services notified, compared; empty if it is unknown whom the old service notified. */
      people: v.array(Compared),
    }),
  ),
  nextCursor: v.nullable(v.string()),
});
export type ShadowComparison = v.InferOutput<typeof ShadowComparison>;

type Person = { person: string; at: number };

/** Returns the person with the time of the notification in ISO 8601; null without a person. */
const toNotifiedPerson = (notified: Person | undefined) =>
  notified === undefined ? null : { person: notified.person, at: toIso(notified.at) };

type Members = ReadonlyMap<string, { name: string; email: string }>;

/** Returns the email address of the member with the name or address. Returns the text in lower case if no member has it. */
const findMemberAddress = (nameOrAddress: string, members: Members): string => {
  const word = nameOrAddress.trim().toLowerCase();
  const known = [...members.values()].find(({ name, email }) =>
    [name, email].some((one) => one.toLowerCase() === word),
  );
  return (known?.email ?? word).toLowerCase();
};

/** Actions that notify people. Other actions only show that people were notified earlier. */
const notifying: readonly Incumbent["action"][] = ["triggered", "escalated"];

/**
 * Compares whom this service (`pages`) and the old service (`incumbent`) notified, and when, up to the event's first
 * acknowledgement or end. Returns an empty list if the old service notified nobody. `endedAt`: the event's end (ms).
 */
export const compareShadow = (
  { pages }: Pick<ShadowView, "pages">,
  incumbent: readonly Incumbent[],
  members: Members,
  endedAt = Infinity,
): Compared[] => {
  const ends = incumbent.flatMap(({ action, at }) => (action === "acknowledged" || action === "closed" ? [at] : []));
  const stop = Math.min(endedAt, ...ends);
  const ours = pages
    .filter(({ devices }) => devices.length > 0)
    .map(({ user, at }) => ({ person: user.email.toLowerCase(), at: fromIso(at) ?? 0 }))
    .filter(({ at }) => at < stop);
  const theirs = incumbent.flatMap(({ action, at, by, notified }) => {
    const isExact = notifying.includes(action);
    const acknowledger = action === "acknowledged" && by !== undefined ? [by] : [];
    return [...notified, ...acknowledger].map((called) => {
      const person = findMemberAddress(called, members);
      const own = isExact ? undefined : ours.find((one) => one.person === person);
      return { person, at: Math.min(at, own?.at ?? at) };
    });
  });
  if (theirs.length === 0) return [];
  return compareNotified(theirs, ours).map((row) => ({
    verdict: row.verdict,
    theirs: toNotifiedPerson(row.theirs),
    ours: toNotifiedPerson(row.ours),
  }));
};
