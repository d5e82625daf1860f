import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replaceBetween } from "./performance-page.ts";
import { dollarsLeft, prices } from "./prices.ts";
import { seededRandom } from "./matching-workload.ts";
import { simulateAdmission } from "./capacity/admission.ts";
import { billTable, idleBill, totalDollars } from "./capacity/bill.ts";
import { buyerTable } from "./capacity/buyer.ts";
import { ceilingTable, eventDollars, fleetTable, rounded, eventSizeTable } from "./capacity/fleet.ts";
import { stormTable } from "./capacity/storm.ts";
import { channelTable } from "./capacity/costs-by-channel.ts";
import { readArguments } from "../tools/command-line.ts";

/*
 * Calculates the cost of a fleet of workspaces, and which limit it reaches first. Uses `npm run bench:cost`, list prices,
 * published limits, the stack's limits, and the assumptions in `capacity/fleet.ts`.
 */

readArguments(
  "npm run bench:capacity    prints what fleets cost and where they meet a limit, and writes docs/scale.md",
  {},
);

const share = (part: number): string => `${(100 * part).toFixed(part < 0.999 ? 1 : 2)} %`;
const admissions = [1_000, 1_100, 1_500, 3_000].map((rate) => simulateAdmission(rate, 1, seededRandom(rate + 1)));
const admissionLines = [
  "| Events a second | Admitted | p99 of the wait of admitted events |",
  "|---|---|---|",
  ...admissions.map(({ rate, admitted, p99Ms }) => `| ${rounded(rate)} | ${share(admitted)} | ${rounded(p99Ms)} ms |`),
];

const page = join(import.meta.dirname, "..", "docs", "scale.md");
const writePageSection = (section: string, written: readonly string[]): void => {
  console.log(`${written.join("\n")}\n`);
  const [begin, end] = [`<!-- ${section}: written by npm run bench:capacity -->`, `<!-- end of ${section} -->`];
  writeFileSync(page, replaceBetween(readFileSync(page, "utf8"), begin, end, written));
};
writePageSection("bill", billTable(Object.values(eventDollars).reduce((sum, part) => sum + part, 0)));
const wholeEvent = { ...eventDollars, ...dollarsLeft, api: prices.httpApiRequest };
const wholeDollars = Object.values(wholeEvent).reduce((sum, part) => sum + part, 0);
writePageSection("buyer", buyerTable({ idleDollars: totalDollars(idleBill()), eventDollars: wholeDollars }));
writePageSection("ways", await channelTable(wholeDollars));
writePageSection("fleet", fleetTable());
writePageSection("ceilings", ceilingTable());
writePageSection("sizes", eventSizeTable());
writePageSection("admission", admissionLines);
writePageSection("storm", await stormTable());
