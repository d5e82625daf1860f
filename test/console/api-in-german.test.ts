import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { word } from "../../console/texts/api/de.ts";
import {
  ACKNOWLEDGED_BEFORE,
  ACKNOWLEDGED_MEANWHILE,
  NO_DEVICES,
  RESOLVED_BEFORE,
} from "../../core/domain/delivery/notification.ts";
import { problemCodes, problems } from "../../interface/problems.ts";

const read = (body: object): unknown => JSON.parse(JSON.stringify(body), word);
const source = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const found = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, code = ""]) => code)),
];
const wordOf = (list: string, code: string) =>
  (
    read({ [list]: [{ code, message: "It must have at most 200 characters.", params: {} }] }) as Record<
      string,
      { message: string }[]
    >
  )[list]![0]!.message;

const warnings = [
  ...found(source("core/domain/people/warning.ts"), /^ {2}(?!message)(\w+):/gm),
  ...found(source("core/domain/rules/doubts.ts"), /code: "(\w+)"/g),
];
/** Codes of single mistakes in docs/errors.md; `invalid` keeps the API's own sentence, which says what is right. */
const faults = found(source("docs/errors.md").split("## Codes of single mistakes")[1]!, /`(\w+)`/g).slice(0, 11);
/** What the console words itself or never meets. */
const others = new Set(
  (
    "malformed_json unauthenticated not_a_member key_scope not_the_recipient quota_exceeded not_found unknown_path " +
    "method_not_allowed request_in_progress changed_meanwhile invalid_input unsupported_media_type " +
    "idempotency_key_reused rate_limited internal_error busy"
  ).split(" "),
);

describe("the German translation of the API's texts", () => {
  it("covers the texts that the API's source code contains", () => {
    expect([warnings.length, faults.length]).toEqual([28, 11]);
  });

  it.each(warnings)("has a German sentence for the warning %s", (code) => {
    expect(wordOf("warnings", code)).not.toMatch(/ must /);
  });

  it.each(faults)("has a German sentence for the fault %s", (code) => {
    expect(wordOf("errors", code)).not.toMatch(/ must /);
  });

  it.each(problemCodes.filter((code) => !others.has(code)))("has a German sentence for the refusal %s", (code) => {
    expect(read({ code, detail: problems[code].when })).not.toEqual({ code, detail: problems[code].when });
  });

  it("keeps the numbers and names in a text", () => {
    expect(wordOf("errors", "too_long")).toBe("Höchstens 200 Zeichen.");
    expect(
      read({ warnings: [{ code: "event_key_never_seen", message: "No.", params: { eventKey: "a.b", meant: "a.c" } }] }),
    ).toMatchObject({ warnings: [{ message: "Bisher ist kein Ereignis zu a.b eingegangen. Meinten Sie a.c?" }] });
  });

  it("leaves what users wrote and unknown codes unchanged", () => {
    const event = { data: { code: "gaps", message: "low" }, warnings: [{ code: "new_code", message: "New." }] };

    expect(read(event)).toEqual(event);
    expect(wordOf("errors", "invalid")).toBe("Nicht möglich: It must have at most 200 characters.");
  });

  it.each([
    NO_DEVICES,
    ACKNOWLEDGED_BEFORE,
    RESOLVED_BEFORE,
    ACKNOWLEDGED_MEANWHILE,
    "FCM: all 2 device(s) failed",
    "Push and SMS: no answer for 1 device(s) and number(s); the push may or may not have arrived",
    "FCM: not available before the push expired for 1 device(s); check the FCM credentials and status",
  ])("says why a push failed: %s", (reason) => {
    expect(read({ failedReason: reason })).not.toEqual({ failedReason: reason });
  });
});
