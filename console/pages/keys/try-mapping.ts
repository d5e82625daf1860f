import * as v from "valibot";
import { Mapping } from "../../../core/domain/basics/mapping.ts";
import { isJsonText, readForm } from "../../../core/domain/sources/form.ts";
import { createMappedAdapter } from "../../../core/domain/sources/mapped.ts";
import { texts } from "../../page-texts.ts";

/** `lines`: one line per alert. */
export type MappingResult = { lines: readonly string[] } | { wrong: string };

const parseJsonOrUndefined = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const describeIssue = (partName: string, [issue]: readonly [v.BaseIssue<unknown>, ...unknown[]]): MappingResult => ({
  wrong: [partName, v.getDotPath(issue), issue.message].filter((part) => part !== null).join(": "),
});

/** Describes the events that the mapping makes of a message (JSON or a form), or what is wrong. Runs the service's own code. */
export const tryMapping = (mappingText: string, messageText: string): MappingResult => {
  const mapping = v.safeParse(Mapping, parseJsonOrUndefined(mappingText));
  if (!mapping.success) return describeIssue(texts.mapping.mapping, mapping.issues);
  const read = v.safeParse(
    createMappedAdapter(mapping.output),
    isJsonText(messageText) ? parseJsonOrUndefined(messageText) : readForm(messageText),
  );
  if (!read.success) return describeIssue(texts.mapping.message, read.issues);
  const { resource } = mapping.output;
  if (read.output.length === 0) return { lines: [texts.mapping.ignored] };
  return {
    lines: read.output.map(({ action, title, priority, key }) =>
      texts.mapping.becomes({ eventKey: `${resource}.${action}`, title, priority, key }),
    ),
  };
};
