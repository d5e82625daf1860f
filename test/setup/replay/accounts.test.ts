import * as fc from "fast-check";
import { expect, it } from "vitest";
import { readAlertsFile } from "../../../setup/read.ts";
import { importExport } from "../../../setup/import/import-export.ts";
import { replayAlerts } from "../../../setup/replay/replay.ts";
import type { Account } from "../import/accounts/move.ts";
import { createAccounts as ofOnCall } from "../import/accounts/oncall.ts";
import { createAccounts as ofOpsgenie } from "../import/accounts/opsgenie.ts";
import { createAccounts as ofPagerDuty } from "../import/accounts/pagerduty.ts";
import { recordsBy } from "./records.ts";

/** `npm run test:import` uses 200 accounts. */
const ACCOUNTS = Number(process.env["IMPORTED_ACCOUNTS"] ?? 20);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Thursday at noon, because the turns of all accounts change on Mondays. */
const NOW = Date.UTC(2026, 10, 26, 12);

const calls = { minLength: 5, maxLength: 20 };
const generated: readonly [keyof typeof recordsBy, fc.Arbitrary<Account>][] = [
  ["opsgenie", ofOpsgenie(calls)],
  ["pagerduty", ofPagerDuty(calls)],
  ["oncall", ofOnCall(calls)],
];

it.each(generated)(
  `an imported account of the service %s notifies the people whom its records name, at the same time (${ACCOUNTS} accounts)`,
  { timeout: 3_600_000 },
  (source, accounts) => {
    let notified = 0;
    fc.assert(
      fc.property(accounts, fc.array(fc.option(fc.integer({ min: 30, max: 5_400 })), calls), (account, acks) => {
        const came = account.calls.map((call, index) => {
          const at = NOW - DAY - (index % 40) * 7 * DAY - index * 1_000;
          const ack = acks[index] ?? undefined;
          // No acknowledgement comes within a minute of a step, because their order would be random.
          const isClose = [0, 1, 5, 10, 15, 20, 25, 30, 40, 60].some(
            (minutes) => Math.abs((ack ?? 0) - minutes * 60) < 60,
          );
          return { call: call(at), at, ackAfter: ack === undefined || isClose ? undefined : ack * 1_000 };
        });
        const { yaml, report: imported } = importExport(source, account.files, NOW - 300 * DAY);
        if (came.length === 0) return;
        const files = [...account.files, ...recordsBy[source](account, came)];
        const setUp = readAlertsFile(yaml).file!;
        const { rows, left, report } = replayAlerts({ source, files, setUp, contacts: "[]", days: 300, now: NOW });
        const wrong = rows.filter(({ verdict }) => verdict !== "same");
        expect(wrong.length === 0 ? [] : [report, imported, yaml, JSON.stringify(wrong[0], undefined, 1)]).toEqual([]);
        for (const { why } of left) expect(why).toMatch(/in its own format/);
        notified += rows.length;
      }),
      { numRuns: ACCOUNTS, seed: 54, endOnFailure: true },
    );
    expect(notified).toBeGreaterThan(ACCOUNTS);
  },
);
