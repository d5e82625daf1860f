import { MAPPED, sourceNames, type SourceName } from "../../core/domain/basics/source-name.ts";
import type { ReachingEvents } from "./rules.ts";
import type { Formula } from "./formula.ts";

const normalizeToolName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** The names of tools in exports that differ from the names of sources. */
const ALIASES: Readonly<Record<string, string>> = {
  prometheus: "alertmanager",
  amazonsns: "cloudwatch",
  amazonaws: "cloudwatch",
  azure: "azure-monitor",
  stackdriver: "google-cloud-monitoring",
  googlecloud: "google-cloud-monitoring",
};

/** Returns the source for a tool, by the tool's name or type in an export; undefined if the service has none for the tool. */
export const findSourceForTool = (tool: string): SourceName | undefined => {
  const plain = normalizeToolName(tool);
  const findSourceName = (wanted: string) =>
    sourceNames.find((name) => name !== MAPPED && normalizeToolName(name) === normalizeToolName(wanted));
  const direct = sourceNames.find((name) => name !== MAPPED && plain.includes(normalizeToolName(name)));
  const alias = Object.keys(ALIASES).find((one) => plain.includes(one));
  return direct ?? (alias === undefined ? undefined : findSourceName(ALIASES[alias] ?? ""));
};

/** Returns the event key of a source's alerts; without a source, a pattern for every key that a program may send. */
export const toFiringEventKey = (source: SourceName | undefined): string =>
  source === undefined ? "*" : `${source.replaceAll("-", "_")}.firing`;

/** Describes the alerts of a source (undefined: of programs that call the API) that meet the condition `when`. */
export const toReachingEvents = (source: SourceName | undefined, when: Formula): ReachingEvents => ({
  eventKey: toFiringEventKey(source),
  when,
});
