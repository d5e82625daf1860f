import type { Answers } from "../../app/types.ts";
import { texts } from "../../page-texts/people.ts";

/** Says what remains when a member leaves, and where the member will be missing. Their API keys are a separate question. */
export const describeLeftovers = ({ made, schedules, policies }: Answers["MemberDetail"]): string[] => {
  const { goesOn, namedBy, schedules: leaves } = texts.people;
  const said: readonly [readonly { name: string }[], (names: string) => string][] = [
    [made.heartbeats, goesOn.heartbeats],
    [made.webhooks, goesOn.webhooks],
    [schedules, leaves],
    [policies, namedBy],
  ];
  return said.flatMap(([some, say]) => (some.length === 0 ? [] : [say(some.map(({ name }) => name).join(", "))]));
};
