import { convertExport } from "../setup/import/import-export.ts";
import { replayAlerts } from "../setup/replay/replay.ts";
import { readArguments } from "../tools/command-line.ts";

/* Measures `alerts replay` for a large Opsgenie account. The replay must also explain differences by disabled rules. */

const options = readArguments(
  "npm run bench:replay -- --alerts 10000    replays this number of alerts, and prints the processor time",
  { alerts: { type: "string", default: "10000" } },
);
const ALERTS = Number(options.alerts);
const GOAL_MS = 60_000;
const TEAMS = 40;
const PEOPLE = 5;
const NOW = Date.UTC(2026, 10, 26, 12);
const QUARTER_MS = 90 * 86_400_000;
const WEEK_MS = 7 * 86_400_000;
const START = Date.UTC(2026, 0, 5);

/** Returns a file of the export. `path`: the file's path in the export, without the ending. */
const createJsonFile = (path: string, value: unknown) => ({ path: `${path}.json`, text: JSON.stringify(value) });
const toEmail = (team: number, person: number): string => `p${team}-${person % PEOPLE}@acme.example`;
const teams = Array.from({ length: TEAMS }, (_, team) => team);
const people = teams.flatMap((team) => Array.from({ length: PEOPLE }, (_, person) => toEmail(team, person)));

const config = [
  createJsonFile("users", { users: people.map((username) => ({ username })) }),
  createJsonFile("integrations", {
    integrations: teams.map((team) => ({ id: `i-${team}`, name: `Team ${team}`, ownerTeam: { name: `T${team}` } })),
  }),
  ...teams.flatMap((team) => [
    createJsonFile(`teams/t${team}`, {
      name: `T${team}`,
      members: [{ user: { username: toEmail(team, 0) } }],
      routingRules: [
        {
          name: "Urgent",
          criteria: {
            type: "match-all-conditions",
            conditions: [{ field: "priority", operation: "equals", expectedValue: "P1" }],
          },
          notify: { type: "escalation", name: `E${team}` },
        },
        { name: "Rest", order: 1, isDefault: true, notify: { type: "schedule", name: `S${team}` } },
      ],
    }),
    createJsonFile(`schedules/s${team}`, {
      name: `S${team}`,
      timezone: "UTC",
      rotations: [
        {
          startDate: new Date(START).toISOString(),
          type: "weekly",
          participants: people
            .filter((one) => one.startsWith(`p${team}-`))
            .map((username) => ({ type: "user", username })),
        },
      ],
    }),
    createJsonFile(`escalations/e${team}`, {
      name: `E${team}`,
      rules: [
        { delay: { timeAmount: 0 }, recipient: { type: "schedule", name: `S${team}` } },
        { delay: { timeAmount: 10 }, recipient: { type: "user", username: toEmail(team, 0) } },
      ],
    }),
  ]),
];
const records = Array.from({ length: ALERTS }, (_, index) => {
  const team = index % TEAMS;
  const at = NOW - QUARTER_MS + Math.floor((index * QUARTER_MS) / ALERTS);
  const priority = index % 3 === 0 ? "P1" : "P3";
  const id = `a-${index}`;
  const person = toEmail(team, Math.floor((at - START) / WEEK_MS));
  const createdAt = new Date(at).toISOString();
  const alert = { id, message: `Alert ${index % 500}`, alias: id, priority, createdAt, report: { ackTime: 240_000 } };
  return [
    createJsonFile(`alerts/${id}`, { data: { ...alert, integration: { id: `i-${team}`, name: `Team ${team}` } } }),
    createJsonFile(`logs/${id}`, { data: [{ log: `Notification sent to ${person} via SMS`, createdAt }] }),
  ];
}).flat();

const { setUp: imported } = convertExport("opsgenie", config, NOW);

/** Replays all alerts with some rules disabled, and prints the result. Throws if the replay takes too long. */
const measureReplay = (title: string, isDisabled: (chain: string | null) => boolean): void => {
  const rules = imported.rules.map((rule) => ({ ...rule, enabled: !isDisabled(rule.chain) }));
  const asked = { source: "opsgenie", contacts: "[]", days: 91, now: NOW };
  const began = process.cpuUsage();
  const { rows, alerts } = replayAlerts({ ...asked, files: [...config, ...records], setUp: { ...imported, rules } });
  const { user, system } = process.cpuUsage(began);
  const ms = (user + system) / 1_000;
  const different = rows.filter(({ verdict }) => verdict !== "same").length;
  console.log(
    `${title}: ${alerts.length} alerts, ${different} of them different, in ${(ms / 1_000).toFixed(1)} s of one core`,
  );
  if (ms > GOAL_MS) throw new Error(`${ALERTS} alerts must take at most ${GOAL_MS / 1_000} s of processor time`);
};
measureReplay("the rules of one team are disabled", (chain) => chain === "T0");
measureReplay("all rules are disabled", () => true);
