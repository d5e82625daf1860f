import { createLocalFailure } from "../../app/failure.ts";
import type { Answers, Inputs } from "../../app/types.ts";
import type { Source } from "../../parts/tools.ts";
import { texts } from "../../page-texts.ts";

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

type KeyInput = Inputs["ApiKeyInput"];

/** Parses a mapping. Throws `Failed` if the text is not JSON. Only the service checks the fields. */
const readMapping = (text: string): NonNullable<KeyInput["mapping"]> => {
  try {
    return JSON.parse(text);
  } catch {
    throw createLocalFailure(texts.mapping.noJson);
  }
};

export const SIGNING = "sentry";
export const ANY = "any";
export type UsedBy = typeof ANY | Source;

export type Draft = {
  name: string;
  usedBy: UsedBy;
  mapping: string;
  secret: string;
  /** Patterns of event keys, separated by commas, spaces or line breaks. */
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

/** Converts a draft to the API's input, with mapping and secret only for tools that use them. */
export const toApiKeyInput = ({ name, mayResolve, usedBy, mapping, secret, patterns }: Draft): KeyInput => {
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
