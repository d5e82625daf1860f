import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { translateCodedText } from "../../console/texts/api/de.ts";
import {
  ACKNOWLEDGED_BEFORE,
  ACKNOWLEDGED_MEANWHILE,
  NO_DEVICES,
  RESOLVED_BEFORE,
} from "../../core/domain/delivery/notification.ts";
import { faultMeanings } from "../../interface/errors.ts";
import { problemCodes, problems } from "../../interface/problems.ts";
import { routes } from "../../interface/routes.ts";

const translate = (body: object): unknown => JSON.parse(JSON.stringify(body), translateCodedText);
const readSource = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const findMatches = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, code = ""]) => code)),
];
const translateFault = (list: string, code: string, message = "It must have at most 200 characters.") =>
  (translate({ [list]: [{ code, message, params: {} }] }) as Record<string, { message: string }[]>)[list]![0]!.message;

const warnings = [
  ...findMatches(readSource("core/domain/people/warning.ts"), /^ {2}(?!message)(\w+):/gm),
  ...findMatches(readSource("core/domain/rules/doubtful-rules.ts"), /code: "(\w+)"/g),
];
/** Faults that the console shows in English, and `invalid`, whose sentences are tested separately. */
const unworded = new Set(
  (
    "invalid idempotency_key_reused not_allowed not_on_call country_not_allowed premium_number not_deliverable " +
    "budget_used_up codes_used_up code_expired tries_used_up wrong_code"
  ).split(" "),
);
const faults = Object.keys(faultMeanings).filter((code) => !unworded.has(code));

/** Fields that a browser or an app fills in. */
const UNTYPED = new Set("auth endpoint fid p256dh receiptKey token".split(" "));
/** Checks of the schemas whose faults have another code than `invalid`. */
const CODED = /^m(?:ax|in)_|picklist|literal|variant/;
/** Lists the sentences of a schema's checks whose fault has the code `invalid`. */
const listInvalidMessages = (schema: unknown, field = ""): string[] => {
  if (UNTYPED.has(field)) return [];
  const { kind, type, message, pipe = [], entries = {}, wrapped, item, options = [], items = [] } = Object(schema);
  if (kind === "validation") return typeof message === "string" && !CODED.test(type) ? [message] : [];
  return [
    ...Object.entries(entries).flatMap(([name, entry]) => listInvalidMessages(entry, name)),
    ...[...pipe, wrapped, item, ...options, ...items].flatMap((inner) =>
      inner === schema ? [] : listInvalidMessages(inner, field),
    ),
  ];
};
const typed = routes.filter(({ entry }) => !entry.startsWith("simulate/"));
const invalids = new Set(
  typed.flatMap(({ body, change }) => [body, change]).flatMap((body) => listInvalidMessages(body)),
);

/** Codes for which the console has its own text, or which it never receives. */
const others = new Set(
  (
    "malformed_json unauthenticated not_a_member key_scope not_the_recipient quota_exceeded not_found unknown_path " +
    "method_not_allowed request_in_progress changed_meanwhile invalid_input unsupported_media_type " +
    "idempotency_key_reused rate_limited internal_error busy"
  ).split(" "),
);

describe("the German translation of the API's texts", () => {
  it("is tested with the 28 warnings that the API's source code contains", () => {
    expect(warnings.length).toBe(28);
  });

  it.each(warnings)("has a German sentence for the warning %s", (code) => {
    expect(translateFault("warnings", code)).not.toMatch(/ must /);
  });

  it.each(faults)("has a German sentence for the fault %s", (code) => {
    expect(translateFault("errors", code)).not.toMatch(/ must /);
  });

  it("has a German sentence for each message about an invalid field that a person can type", () => {
    expect(invalids.size).toBeGreaterThan(60);
    expect([...invalids].filter((message) => translateFault("errors", "invalid", message).includes(message))).toEqual(
      [],
    );
  });

  it.each([
    ["position must be a whole number from 1 to 100000.", "Eine ganze Zahl von 1 bis 100000."],
    ["end must be at most 366 days after start.", "Höchstens 366 Tage nach dem Beginn."],
    [
      "url must not have a port: only 443 is called.",
      "Eine öffentliche Adresse mit https://, ohne Port, Benutzernamen und Passwort.",
    ],
    ["afterMinutes must be more than the 5 of the step before it.", "Mehr als die 5 Minuten des Schritts davor."],
    ["until must be later than start.", "Das Ende muss nach dem Beginn liegen."],
    ["start and inReturn.start must be in the future.", "Der Beginn muss in der Zukunft liegen."],
    [
      "An event key must be resource.action in lowercase letters.",
      "Ein Ereignisschlüssel aus Kleinbuchstaben, Ziffern und Unterstrichen wie booking.created.",
    ],
  ])("has the expected German sentence for the message: %s", (message, german) => {
    expect(translateFault("errors", "invalid", message)).toBe(german);
  });

  it.each(problemCodes.filter((code) => !others.has(code)))("has a German sentence for the refusal %s", (code) => {
    expect(translate({ code, detail: problems[code].when })).not.toEqual({ code, detail: problems[code].when });
  });

  it("keeps the numbers and names in a text", () => {
    expect(translateFault("errors", "too_long")).toBe("Höchstens 200 Zeichen.");
    expect(
      translate({
        warnings: [{ code: "event_key_never_seen", message: "No.", params: { eventKey: "a.b", meant: "a.c" } }],
      }),
    ).toMatchObject({
      warnings: [{ message: "Bisher ist kein Ereignis eingegangen, auf das a.b passt. Meinten Sie a.c?" }],
    });
  });

  it("leaves texts that users wrote, and unknown codes, unchanged", () => {
    const event = { data: { code: "gaps", message: "low" }, warnings: [{ code: "new_code", message: "New." }] };

    expect(translate(event)).toEqual(event);
    expect(translateFault("errors", "invalid")).toBe("Nicht möglich: It must have at most 200 characters.");
  });

  it.each([
    NO_DEVICES,
    ACKNOWLEDGED_BEFORE,
    RESOLVED_BEFORE,
    ACKNOWLEDGED_MEANWHILE,
    "FCM: all 2 device(s) failed",
    "Push and SMS: no answer for 1 device(s) and number(s); the push may or may not have arrived",
    "FCM: not available before the push expired for 1 device(s); check the FCM credentials and status",
  ])("has a German sentence for the reason of a failed push: %s", (reason) => {
    expect(translate({ failedReason: reason })).not.toEqual({ failedReason: reason });
  });
});
