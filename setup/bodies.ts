import { type Dictionary, toConnection, toPolicy, toRule } from "./names.ts";
import type { Entry } from "./plan.ts";
import type { Owned } from "./workspace.ts";

/** What the interface takes of an entry. For a group only the name, because its members have an endpoint of their own. */
export const bodyOf = (section: Owned, entry: Entry, ids: Dictionary): object => {
  if ("members" in entry) return { name: entry.name };
  if ("steps" in entry) return toPolicy(entry, ids);
  if ("policy" in entry) return toRule(entry, ids);
  if ("rules" in entry) return toConnection(entry, ids);
  return section === "silences" || section === "webhooks" ? entry : {};
};

/**
 * The same for a new one, with the fields that never change: the channel or the user group of a connection.
 * `addresses`: of Teams, by name.
 */
export const newBodyOf = (
  section: Owned,
  entry: Entry,
  ids: Dictionary,
  addresses: ReadonlyMap<string, string>,
): object => {
  const body = bodyOf(section, entry, ids);
  if (!("rules" in entry)) return body;
  const { name, kind, channel, userGroup } = entry;
  const ends = { slack: { channel }, teams: { url: addresses.get(name) }, slack_user_group: { userGroup } };
  return { ...body, kind, ...ends[kind] };
};
