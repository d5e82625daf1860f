import { Failed } from "../../app/failure.ts";
import type { Answers } from "../../app/types.ts";
import { texts as all } from "../../page-texts/rules.ts";
import type { ShownStep } from "../../parts/shown-step.ts";

const { probeLinks: texts } = all;

export type Probe = Answers["Probe"];
type Links = NonNullable<Probe["links"]>;

const names = ["accepted", "matched", "recipient", "sent", "confirmed"] as const satisfies (keyof Links)[];

const faults: Readonly<Record<string, string>> = texts.faults;

/** Lists a probe's links (stages from acceptance to confirmation) as steps to show. A broken link has a remedy. */
export const listLinks = (links: Links): ShownStep[] =>
  names.map((name) => {
    const { at, fault } = links[name];
    return {
      name: texts.links[name],
      at,
      remedy: fault === null ? undefined : (faults[fault] ?? texts.refused(fault)),
    };
  });

/** Describes the first broken link of a probe; returns undefined if no link is broken. */
export const describeBrokenLink = (links: Links | null): string | undefined => {
  const broken = links === null ? undefined : listLinks(links).find(({ remedy }) => remedy !== undefined);
  return broken && `${broken.name}: ${broken.remedy}`;
};

/** Says when the rule can be probed again, if the service refused because of too many requests. Rethrows other errors. */
export const explainTooSoon = (error: unknown): string => {
  if (!(error instanceof Failed) || error.failure.kind !== "refused" || error.failure.status !== 429) throw error;
  return texts.tooSoon(error.failure.retryAfter ?? 60);
};
