import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replaceBetween } from "./performance-page.ts";
import { dollarsLeft, prices } from "./prices.ts";
import { createRandom } from "../tools/random.ts";
import { simulateAdmission } from "./capacity/admission.ts";
import { renderBill, listIdleCosts, sumDollars } from "./capacity/bill.ts";
import { renderTeamCosts } from "./capacity/buyer.ts";
import { renderCeilingTable, eventDollars, renderFleetTable, toRounded, renderEventSizes } from "./capacity/fleet.ts";
import { renderStormTable } from "./capacity/storm.ts";
import { renderChannelTable } from "./capacity/costs-by-channel.ts";
import { readArguments } from "../tools/command-line.ts";

/** Renders docs/scale.md from `npm run bench:cost`, list prices, published limits, the stack's limits and assumptions. */

readArguments(
  "npm run bench:capacity    prints what fleets cost and where they meet a limit, and writes docs/scale.md",
  {},
);

const formatPercent = (share: number): string => `${(100 * share).toFixed(share < 0.999 ? 1 : 2)} %`;
const admissions = [1_000, 1_100, 1_500, 3_000].map((rate) => simulateAdmission(rate, 1, createRandom(rate + 1)));
const admissionLines = [
  "| Events a second | Admitted | p99 of the wait of admitted events |",
  "|---|---|---|",
  ...admissions.map(
    ({ rate, admitted, p99Ms }) => `| ${toRounded(rate)} | ${formatPercent(admitted)} | ${toRounded(p99Ms)} ms |`,
  ),
];

const page = join(import.meta.dirname, "..", "docs", "scale.md");
/** Prints a table, and writes it to a section of docs/scale.md. */
const printAndWrite = (section: string, lines: readonly string[]): void => {
  console.log(`${lines.join("\n")}\n`);
  const [begin, end] = [`<!-- ${section}: written by npm run bench:capacity -->`, `<!-- end of ${section} -->`];
  writeFileSync(page, replaceBetween(readFileSync(page, "utf8"), begin, end, lines));
};
printAndWrite("bill", renderBill(Object.values(eventDollars).reduce((sum, part) => sum + part, 0)));
const wholeEvent = { ...eventDollars, ...dollarsLeft, api: prices.httpApiRequest };
const wholeDollars = Object.values(wholeEvent).reduce((sum, part) => sum + part, 0);
printAndWrite("buyer", renderTeamCosts({ idleDollars: sumDollars(listIdleCosts()), eventDollars: wholeDollars }));
printAndWrite("ways", await renderChannelTable(wholeDollars));
printAndWrite("fleet", renderFleetTable());
printAndWrite("ceilings", renderCeilingTable());
printAndWrite("sizes", renderEventSizes());
printAndWrite("admission", admissionLines);
printAndWrite("storm", await renderStormTable());
