import { describe, expect, it } from "vitest";
import { parseInput } from "../../../../core/domain/basics/faults.ts";
import { sourceNames } from "../../../../core/domain/basics/source-name.ts";
import {
  ApiKeyInput,
  refuseApiKey,
  maySend,
  refuseEventKey,
  refuseOutOfScope,
} from "../../../../core/domain/workspace/api-key.ts";
import { hashApiKey, createApiKeyText, parseApiKey } from "../../../../core/domain/workspace/api-key-text.ts";

const createIds = () => {
  let count = 0;
  return () => `key_${(count += 1)}`;
};
/** A fixed key: every key that was ever issued must stay valid. */
const KEY = ["eak", "acme", "trub2FyVctupvHc2deTyHnm1nb1k66isBUhV-ELvaZg", "1czva54"].join("_");

describe("the request body for an API key", () => {
  const mapping = { resource: "datadog", title: ["title"] };
  const signingSecret = "0123456789abcdef";
  const SOURCE = `source must be one of ${sourceNames.join(", ")}.`;
  const MAPPED_ONLY = '"mapping" is allowed only if "source" is "mapped".';
  const SENTRY_ONLY = '"signingSecret" is allowed only if "source" is "sentry".';
  const SECRET = [
    "signingSecret",
    "signingSecret must be the tool's signing secret: 16 to 200 characters, without spaces.",
  ] as const;

  it.each<[string, object]>([
    ["any event, without a time limit", {}],
    ["one tool", { source: "github" }],
    ["a tool that signs", { source: "sentry", signingSecret }],
    ["a tool that could sign but does not", { source: "sentry" }],
    ["a tool whose messages a mapping describes", { source: "mapped", mapping }],
    ["some event keys", { eventKeys: ["order.*", "disk.full"], mayResolve: "any" }],
    ["a limited time", { expiresAt: "2027-01-01T00:00:00.000Z" }],
  ])("may create a key for %s", (_, fields) => {
    expect(parseInput(ApiKeyInput, { name: "Shop", ...fields }).faults).toEqual([]);
  });

  it.each<[string, object, string, string]>([
    ["an unknown source", { source: "nagios" }, "source", SOURCE],
    ["an empty source", { source: "" }, "source", SOURCE],
    ["a source that is null", { source: null }, "source", SOURCE],
    ["a source that is a number", { source: 5 }, "source", SOURCE],
    [
      "the source mapped without a mapping",
      { source: "mapped" },
      "mapping",
      '"mapping" is required if "source" is "mapped": the mapping says where title, body and so on are.',
    ],
    ["a mapping without a source", { mapping }, "mapping", MAPPED_ONLY],
    ["a mapping for another source", { source: "github", mapping }, "mapping", MAPPED_ONLY],
    ["a signing secret without a source", { signingSecret }, "signingSecret", SENTRY_ONLY],
    ["a signing secret for the source github", { source: "github", signingSecret }, "signingSecret", SENTRY_ONLY],
    ["a secret of 15 characters", { source: "sentry", signingSecret: "0123456789abcde" }, ...SECRET],
    ["a secret with a space", { source: "sentry", signingSecret: "0123456789 abcdef" }, ...SECRET],
    ["a secret of 201 characters", { source: "sentry", signingSecret: "x".repeat(201) }, ...SECRET],
    [
      "an empty list of event keys",
      { eventKeys: [] },
      "eventKeys",
      "eventKeys must have at least one pattern; leave it out for all.",
    ],
    [
      "a reserved event key",
      { eventKeys: ["service.*"] },
      "eventKeys[0]",
      "The prefix service. is reserved: choose another resource.",
    ],
    ["21 event keys", { eventKeys: Array(21).fill("a.b") }, "eventKeys", "eventKeys must have at most 20 patterns."],
    ["an unknown value of mayResolve", { mayResolve: "none" }, "mayResolve", "mayResolve must be own or any."],
    [
      "an unknown field",
      { expires: "2027-01-01" },
      "expires",
      "expires is not a field that can be set here. Did you mean expiresAt?",
    ],
  ])("is refused with %s", (_, fields, field, message) => {
    expect(parseInput(ApiKeyInput, { name: "Shop", ...fields }).faults).toMatchObject([{ field, message }]);
  });
});

describe("an API key", () => {
  it("contains its workspace, has 256 bits of secret and ends with a checksum", async () => {
    const key = await createApiKeyText(createIds(), "ws_acme");

    expect(key).toBe(KEY);
    expect(parseApiKey(key)).toEqual({ workspaceId: "ws_acme", text: key });
  });

  it("contains its source, if it has one", async () => {
    const key = await createApiKeyText(createIds(), "ws_acme", { source: "uptime-kuma" });

    expect(key).toMatch(/^eak_acme_uptime-kuma_[\w-]{43}_[0-9a-z]{7}$/);
    expect(parseApiKey(key)).toEqual({ workspaceId: "ws_acme", source: "uptime-kuma", text: key });
    expect(parseApiKey(key.replace("uptime-kuma_", ""))).toBeUndefined();
    expect(parseApiKey(key.replace("uptime-kuma", "github"))).toBeUndefined();
  });

  it("changes with each of the four random ids that it is made of", async () => {
    const keys = await Promise.all(
      [0, 1, 2, 3, 4].map((changed) => {
        let count = 0;
        return createApiKeyText(() => ((count += 1) === changed ? "other" : `same${count}`), "ws_acme");
      }),
    );

    expect(new Set(keys).size).toBe(5);
  });

  it("is invalid with any character changed, left out, doubled or swapped with the next one", () => {
    for (let at = 0; at < KEY.length; at += 1) {
      const [before, here, after] = [KEY.slice(0, at), KEY[at]!, KEY.slice(at + 1)];
      const other = here === "x" ? "y" : "x";
      const swapped = after === "" || after[0] === here ? [] : [`${before}${after[0]}${here}${after.slice(1)}`];
      for (const text of [`${before}${other}${after}`, before + after, `${before}${here}${here}${after}`, ...swapped])
        expect({ text, parsed: parseApiKey(text) }).toEqual({ text, parsed: undefined });
    }
  });

  it.each([
    ["is empty", ""],
    ["is only the prefix of a key", "eak_"],
    ["is in upper case", KEY.toUpperCase()],
    ["starts with a space", ` ${KEY}`],
    ["ends with a space", `${KEY} `],
    ["ends with a line break", `${KEY}\n`],
    ["is twice in the text", `${KEY},${KEY}`],
    ["has no checksum", KEY.slice(0, -8)],
  ])("is invalid if it %s", (_, text) => {
    expect(parseApiKey(text)).toBeUndefined();
  });

  it("contains its expiry to the second", async () => {
    const key = await createApiKeyText(createIds(), "ws_acme", { until: Date.UTC(2027, 0, 1) + 999 });

    expect(key).toMatch(/^eak_acme_0[0-9a-z]{6}_[\w-]{43}_[0-9a-z]{7}$/);
    expect(parseApiKey(key)).toEqual({ workspaceId: "ws_acme", text: key, until: Date.UTC(2027, 0, 1) });
    expect(parseApiKey(key.replace(/_0[0-9a-z]{6}_/, "_"))).toBeUndefined();
  });

  it.each([
    ["may send every event key if it has no patterns", undefined, "order.failed", true],
    ["may send an event key that is one of its patterns", ["order.failed"], "order.failed", true],
    ["may send an event key that matches one of its patterns", ["disk.*", "order.*"], "order.failed", true],
    ["may not send an event key that matches none of its patterns", ["disk.*", "order.paid"], "order.failed", false],
  ])("%s", (_title, eventKeys, eventKey, may) => {
    expect(maySend(eventKeys === undefined ? {} : { eventKeys }, eventKey)).toBe(may);
  });

  it("is refused for another use, with an error that names the use for which the key was created", () => {
    expect(refuseEventKey({ eventKeys: ["disk.*", "order.paid"] }, "order.failed")).toMatchObject({
      kind: "key_scope",
      message: "This API key may send only disk.*, order.paid, not order.failed.",
    });
    expect(refuseOutOfScope("github")).toMatchObject({
      kind: "key_scope",
      message: "This API key is for POST /v1/events/from/github only. Create a key without a source.",
    });
    const needed = "A valid API key is required in the header X-Api-Key.";
    expect(refuseApiKey()).toMatchObject({ kind: "unauthenticated", message: needed, extras: { challenge: "ApiKey" } });
    expect(refuseApiKey("It has spaces.").message).toBe(`${needed} It has spaces.`);
  });

  it("is stored as the first half of its SHA-256", async () => {
    expect(Buffer.from(await hashApiKey("abc")).toString("hex")).toBe("ba7816bf8f01cfea414140de5dae2223");
  });
});
