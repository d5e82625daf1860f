import * as fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { readAlertsFile } from "../../../../setup/read.ts";
import { importExport } from "../../../../setup/import/import-export.ts";
import { startApp } from "../../../world/app.ts";
import { runOn } from "../../running.ts";

/** `npm run test:import` uses 200 accounts. */
const ACCOUNTS = Number(process.env["IMPORTED_ACCOUNTS"] ?? 5);

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const WEEK = 7 * DAY;
const MONDAY = Date.UTC(2026, 0, 5);
/** A step may be this much later than in the old service, because each step is timed from the previous step. */
const SOON = 1_000;

/** The people whom the old service had notified by this time, if nobody acknowledged. */
export type Notified = { afterMinutes: number; people: readonly string[] };
/**
 * A message to the service. `key`: the position of the sender's API key in the setup file. `told`: the people whom the old
 * service would notify.
 */
export type Call = { key: number; path: string; body: object; told: readonly Notified[] };

export type Account = {
  files: { path: string; text: string }[];
  people: readonly string[];
  left: readonly string[];
  /** The ids of the senders whose keys the messages use, in the order of the keys. */
  senders: readonly string[];
  calls: readonly ((now: number) => Call)[];
};

const sortUnique = (people: Iterable<string>): string[] => [...new Set(people)].sort();

const startMoves = async () => {
  const app = await startApp();
  afterAll(app.close);
  let accounts = 0;
  // A person may create only a few workspaces, so each account has another owner.
  const idOf = (account: number, person: number) =>
    `usr_${account.toString(16).padStart(16, "0")}${person.toString(16).padStart(16, "0")}`;
  const OWNER = 0;

  const workTwice = async () => {
    for (let round = 0; round < 2; round += 1) {
      await app.work();
      await app.escalate();
    }
  };
  const networkOf =
    (owner: string): typeof fetch =>
    async (url, init) => {
      const { pathname, search } = new URL(url instanceof Request ? url.url : url);
      const { status, headers, body } = await app.ask(`${pathname}${search}`, {
        method: (init?.method ?? "GET") as "GET",
        as: owner,
        headers: init?.headers as Record<string, string>,
        ...(typeof init?.body === "string" ? { body: init.body } : {}),
      });
      return new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
    };

  /** Returns the secrets of the file's keys in the file's order, and the report. */
  const moveAccount = async (source: string, { files, people }: Account) => {
    accounts += 1;
    const owner = idOf(accounts, OWNER);
    const { body } = await app.ask<{ id: string }>("/v1/workspaces", {
      method: "POST",
      as: owner,
      body: { name: "New" },
    });
    const root = `/v1/workspaces/${body.id}`;
    for (const [index, email] of people.entries()) {
      const userId = idOf(accounts, OWNER + 1 + index);
      await app.ask(`${root}/members`, { method: "POST", as: owner, body: { userId, name: email, email } });
      const token = `${accounts}:${email}`;
      const device = await app.ask(`${root}/devices`, { method: "POST", as: userId, body: { token, platform: "ios" } });
      expect(device.status, JSON.stringify(device.body)).toBe(201);
    }
    const { yaml, report } = importExport(source, files, Math.floor(app.deps.now() / DAY) * DAY);
    const texts = new Map([["set-up.yaml", yaml]]);
    const { code, text } = await runOn(texts, ["apply", "set-up.yaml", "--keys-file", "keys.json"], {
      env: { BASE_URL: "https://alerts.example", WORKSPACE_ID: body.id, SESSION_TOKEN: "t" },
      now: app.deps.now,
      fetch: networkOf(owner),
    });
    expect(code, `${text}\n${yaml}`).toBe(0);
    const secrets = JSON.parse(texts.get("keys.json") ?? "[]") as { name: string; key: string }[];
    const names = (readAlertsFile(yaml).file?.keys ?? []).map(({ name }) => name);
    const keys = names.map((name) => secrets.find((one) => one.name === name)?.key ?? "");
    return { root, owner, keys, yaml, report, number: accounts };
  };

  /** Returns the people of one account who were notified since the last call, and forgets all pushes. */
  const takePushedPeople = (number: number): string[] =>
    app.pushed.splice(0).flatMap((message) => {
      // The notices to the owners about an event that notified nobody.
      if (/^(?:An URGENT event notified nobody|No rule matches a new event): /.test(message.notification?.title ?? ""))
        return [];
      const [account, email = ""] = ("token" in message ? message.token : "").split(":");
      return account === String(number) ? [email] : [];
    });

  /** Checks that exactly the same people are notified as in the old service. */
  const moveAndCountNotified = async (source: string, account: Account): Promise<number> => {
    const { root, owner, keys, yaml, report, number } = await moveAccount(source, account);
    const notTaken = report.slice(report.indexOf("## Not imported"), report.indexOf("## Imported with"));
    for (const what of account.left) expect(notTaken).toContain(what.replaceAll("|", "\\|"));
    let woken = 0;
    for (const call of account.calls) {
      // In all accounts, turns change at the same time of the week, and no alert lasts beyond this time.
      const untilHandoff = WEEK - ((app.deps.now() - MONDAY) % WEEK);
      if (untilHandoff < DAY / 4) app.advance(untilHandoff + SOON);
      const { key, path, body, told } = call(app.deps.now());
      app.pushed.length = 0;
      const answer = await app.ask<{ events?: { eventId: string }[]; eventId?: string }>(path, {
        method: "POST",
        apiKey: keys[key] ?? "",
        body,
      });
      expect(answer.status, `${JSON.stringify(answer.body)}\n${JSON.stringify(body)}\n${yaml}`).toBeLessThan(300);
      const began = app.deps.now();
      const seen = new Set<string>();
      await app.work();
      for (const [index, { afterMinutes, people }] of told.entries()) {
        app.advance(Math.max(0, began + afterMinutes * MINUTE + SOON * index - app.deps.now()));
        if (index > 0) await workTwice();
        for (const person of takePushedPeople(number)) seen.add(person);
        const what = `${JSON.stringify(body)}\nafter ${afterMinutes} minutes, key ${key}\n${yaml}\n${report}`;
        expect(sortUnique(seen), what).toEqual(sortUnique(people));
      }
      woken += seen.size;
      const events = answer.body.events ?? [{ eventId: answer.body.eventId ?? "" }];
      for (const { eventId } of events)
        await app.ask(`${root}/events/${eventId}/resolve`, { method: "POST", as: owner, body: {} });
      await app.work();
    }
    return woken;
  };
  return { prove: moveAndCountNotified };
};

/**
 * Tests that imported accounts notify the same people as the old service. A test in which too few messages notify somebody would
 * prove nothing, and fails.
 */
export const testMoves = async (source: string, title: string, accounts: fc.Arbitrary<Account>): Promise<void> => {
  const { prove } = await startMoves();
  it(`${title} (${ACCOUNTS} accounts)`, { timeout: 3_600_000 }, async () => {
    let woken = 0;
    await fc.assert(
      fc.asyncProperty(accounts, async (account) => {
        woken += await prove(source, account);
      }),
      { numRuns: ACCOUNTS, seed: 29, endOnFailure: true },
    );
    expect(woken).toBeGreaterThan(ACCOUNTS / 2);
  });
};

/** Names in many scripts, some with special characters, and some that are equal after the import. */
export const aName = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("Checkout API", "checkout api", "Checkout-API", "Payments", "Web") },
  { weight: 3, arbitrary: fc.constantFrom("Платежи", "支払い", "Café", "Cafe\u0301", "مدفوعات", "🔥") },
  { weight: 2, arbitrary: fc.constantFrom("a: b #c", "- x", "yes", "*", "[Ops], EU", 'O\'Neil "q"', "1.0", "  Ops  ") },
  { weight: 1, arbitrary: fc.constantFrom(`${"x".repeat(120)}1`, `${"x".repeat(120)}2`) },
);

export const personOnCall = (people: readonly string[], since: number, now: number): string =>
  people[Math.floor((now - since) / (7 * DAY)) % people.length] ?? "";

export const listNotified = (levels: readonly { afterMinutes: number; people: readonly string[] }[]): Notified[] =>
  levels.length === 0
    ? [
        { afterMinutes: 0, people: [] },
        { afterMinutes: 90, people: [] },
      ]
    : levels.map(({ afterMinutes }, index) => ({
        afterMinutes,
        people: levels.slice(0, index + 1).flatMap(({ people }) => people),
      }));

export const createJsonFile = (path: string, value: unknown) => ({ path: `${path}.json`, text: JSON.stringify(value) });
