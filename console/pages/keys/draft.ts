import { createLocalFailure } from "../../app/failure.ts";
import type { Answers, Inputs } from "../../app/types.ts";
import type { Source } from "../../parts/tools.ts";
import { texts } from "../../page-texts.ts";

/** An example of a mapping, to start with. */
const FIRST_MAPPING = JSON.stringify(
  {
    resource: "my_tool",
    title: ["title"],
    body: ["message"],
    priority: ["severity"],
    dedupeKey: ["id"],
    resolved: { path: "status", is: ["resolved"] },
  },
  null,
  2,
);

type Input = Inputs["ApiKeyInput"];

/** Parses a mapping. Parses a mapping. Throws a Failed if the text is not JSON; the service reports other faults. */
const readMapping = (text: string): NonNullable<Input["mapping"]> => {
  try {
    return JSON.parse(text);
  } catch {
    throw createLocalFailure(texts.mapping.noJson);
  }
};

/** The tool that signs its messages. */
export const SIGNING = "sentry";
/** The value for applications that use the service's own format. */
export const ANY = "any";
export type UsedBy = typeof ANY | Source;

/** The form's input for an API key. */
export type Draft = {
  name: string;
  usedBy: UsedBy;
  mapping: string;
  secret: string;
  /** The event keys that the API key may send, with commas, spaces or lines between them. */
  patterns: string;
  mayResolve: Answers["ApiKey"]["mayResolve"];
};

export const emptyDraft: Draft = {
  name: "",
  usedBy: ANY,
  mapping: FIRST_MAPPING,
  secret: "",
  patterns: "",
  mayResolve: "own",
};

/** Converts the input to the API's format, with the mapping and the secret only for tools that use them. */
export const toInput = ({ name, mayResolve, usedBy, mapping, secret, patterns }: Draft): Input => {
  const eventKeys = patterns.split(/[\s,]+/).filter((pattern) => pattern !== "");
  return {
    name,
    mayResolve,
    ...(usedBy === ANY ? {} : { source: usedBy }),
    ...(usedBy === "mapped" ? { mapping: readMapping(mapping) } : {}),
    ...(usedBy === SIGNING && secret !== "" ? { signingSecret: secret } : {}),
    ...(eventKeys.length === 0 ? {} : { eventKeys }),
  };
};
