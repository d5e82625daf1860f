import { type NameLookup, toConnection, toPolicy, toRule } from "./names.ts";
import type { Entry } from "./plan.ts";
import type { IdSection } from "./workspace.ts";

/** Returns an entry in the API's format. For a group, returns only the name, because members have their own endpoint. */
export const toInput = (section: IdSection, entry: Entry, ids: NameLookup): object => {
  if ("members" in entry) return { name: entry.name };
  if ("steps" in entry) return toPolicy(entry, ids);
  if ("policy" in entry) return toRule(entry, ids);
  if ("rules" in entry) return toConnection(entry, ids);
  return section === "silences" || section === "webhooks" ? entry : {};
};

/** Returns a new entry in the API's format, with fields that never change (a connection's channel). `addresses`: Teams URLs. */
export const toNewInput = (
  section: IdSection,
  entry: Entry,
  ids: NameLookup,
  addresses: ReadonlyMap<string, string>,
): object => {
  const body = toInput(section, entry, ids);
  if (!("rules" in entry)) return body;
  const { name, kind, channel, userGroup } = entry;
  const ends = { slack: { channel }, teams: { url: addresses.get(name) }, slack_user_group: { userGroup } };
  return { ...body, kind, ...ends[kind] };
};
