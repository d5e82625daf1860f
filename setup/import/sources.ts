import { MAPPED, sourceNames, type SourceName } from "../../core/domain/basics/source-name.ts";
import type { Reach } from "./rules.ts";
import type { Formula } from "./formula.ts";

const normalizeToolName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** Names in exports that differ from our names of sources. */
const ALIASES: Readonly<Record<string, string>> = {
  prometheus: "alertmanager",
  amazonsns: "cloudwatch",
  amazonaws: "cloudwatch",
  azure: "azure-monitor",
  stackdriver: "google-cloud-monitoring",
  googlecloud: "google-cloud-monitoring",
};

/** By the tool's name or type in an export. */
export const sourceForTool = (tool: string): SourceName | undefined => {
  const plain = normalizeToolName(tool);
  const findSourceName = (wanted: string) =>
    sourceNames.find((name) => name !== MAPPED && normalizeToolName(name) === normalizeToolName(wanted));
  const direct = sourceNames.find((name) => name !== MAPPED && plain.includes(normalizeToolName(name)));
  const alias = Object.keys(ALIASES).find((one) => plain.includes(one));
  return direct ?? (alias === undefined ? undefined : findSourceName(ALIASES[alias] ?? ""));
};

/** Without a source, returns a pattern for every key that a program may send. */
export const firingEventKey = (source: SourceName | undefined): string =>
  source === undefined ? "*" : `${source.replaceAll("-", "_")}.firing`;

export const reachOfSource = (source: SourceName | undefined, when: Formula): Reach => ({
  eventKey: firingEventKey(source),
  when,
});
