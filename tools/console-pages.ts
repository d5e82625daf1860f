import * as v from "valibot";
import { pages } from "../console/app/paths.ts";

/** The pages that need no session, or that redirect. */
const OTHERS = new Set<string>(["login", "press", "signedIn", "home"]);

const lists: Readonly<Record<string, string>> = {
  event: "/events",
  rule: "/routing-rules",
  schedule: "/groups",
  policy: "/escalation-policies",
  group: "/groups",
  person: "/members",
  silence: "/silences",
};

/** The pages that need a session. `list`: the API path that lists the ids for `:id`. */
export const consolePages = pages
  .filter(({ name }) => !OTHERS.has(name))
  .map(({ name, path }) => ({ name, path, list: lists[name] }));

const Item = v.union([
  v.pipe(
    v.object({ id: v.string() }),
    v.transform(({ id }) => id),
  ),
  v.pipe(
    v.object({ userId: v.string() }),
    v.transform(({ userId }) => userId),
  ),
]);
const List = v.union([
  v.array(Item),
  v.pipe(
    v.object({ items: v.array(Item) }),
    v.transform(({ items }) => items),
  ),
]);

/** Returns the first item's id; undefined if the list is empty. */
export const findFirstId = (answer: unknown): string | undefined => v.parse(List, answer)[0];
