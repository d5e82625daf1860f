import type { Answers } from "../../app/types.ts";
import { texts } from "../../page-texts/people.ts";

/** Names what the member has created and where the member is used, except the member's API keys. */
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
