import { type Command, CommandError, type RunResult } from "../command.ts";
import { swapEnding } from "../import/command.ts";
import { readValidFile } from "../test.ts";

const DAYS_DEFAULT = 90;

const formatCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .flatMap(([what, count]) => (count > 0 ? [`${what} ${count}`] : []))
    .join(", ");

export const replayCommand: Command = {
  does: "replays recorded alerts of opsgenie, oncall or pagerduty with a setup file, and compares who is notified; exits with 1 if a notification reaches nobody or no alert was replayed",
  takes: "SOURCE EXPORT...",
  options: {
    "set-up": { means: "the setup file", needed: true },
    days: { means: `how many days back from today; ${DAYS_DEFAULT} by default` },
    report: {
      means: "the Markdown file to write; contracts for the most common alerts go to .contracts.yaml beside it",
    },
    contacts: { means: "the file of contacts that import wrote, for people's notification rules" },
  },
  run: async ({ now, print, tell, readText, writeText }, source, options, paths): Promise<RunResult> => {
    const { days: given, report: out, contacts: own } = options;
    const days = given === undefined ? DAYS_DEFAULT : Number(given);
    if (!Number.isInteger(days) || days < 1)
      throw new CommandError("--days must be a whole number of days, 1 or more.");
    const { file: setUp } = readValidFile({ readText }, [String(options["set-up"])]);
    const contacts = own === undefined ? "[]" : readText(String(own));
    if (contacts === undefined) throw new CommandError(`There is no file ${String(own)}.`);
    // The modules of the replay are loaded on demand, because they are slow and other commands do not need them.
    const [{ replayAlerts: replay }, { groupByCause: byCause, countVerdicts: countsOf }, { readExport }] =
      await Promise.all([import("./replay.ts"), import("./report.ts"), import("../import/files-on-disk.ts")]);
    const files = readExport(paths, readText);
    const { rows, alerts, left, report, contracts } = replay({ source, files, setUp, contacts, days, now: now() });
    const counts = countsOf(rows);
    print(`Alerts replayed: ${alerts.length}.${rows.length === 0 ? "" : ` Notifications: ${formatCounts(counts)}.`}`);
    for (const [cause, some] of byCause(rows)) print(`    ${cause}: ${formatCounts(countsOf(some))}`);
    if (left.length > 0) tell(`${left.length} alerts could not be replayed; the report says why.`);
    if (typeof out === "string") {
      writeText(out, report);
      writeText(swapEnding(out, "contracts.yaml"), contracts);
    }
    const code = counts.nobody > 0 || alerts.length === 0 ? 1 : 0;
    return { code, report: { alerts: alerts.length, left, counts, report, contracts } };
  },
};
