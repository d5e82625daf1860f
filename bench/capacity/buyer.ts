import { others, prices } from "../prices.ts";

/** The monthly usage of a team. Each event notifies three people on two devices each. A call takes a minute. */
const team = { people: 40, events: 50_000, texts: 300, calls: 150 } as const;

type DollarSpan = { from: number; to: number };
type Cost = DollarSpan & { what: string };

const multiplySpan = (count: number, { from, to }: DollarSpan): DollarSpan => ({ from: count * from, to: count * to });
const toSpan = (dollars: number): DollarSpan => ({ from: dollars, to: dollars });

/** Lists the team's monthly costs, from the cost of a stage without traffic (`idleDollars`) and of an event (`eventDollars`). */
export const listTeamCosts = ({ idleDollars, eventDollars }: { idleDollars: number; eventDollars: number }): Cost[] => [
  { what: "the idle stage", ...toSpan(idleDollars) },
  { what: `${team.events.toLocaleString("en")} events for three people`, ...toSpan(team.events * eventDollars) },
  { what: `${team.people} people who sign in`, ...toSpan(team.people * prices.cognitoUserMonth) },
  { what: `${team.texts} text messages`, ...multiplySpan(team.texts, prices.textMessage) },
  { what: `${team.calls} calls of a minute`, ...multiplySpan(team.calls, prices.callMinute) },
  { what: "a number for texts", ...prices.textNumberMonth },
  { what: "a number for calls", ...prices.callNumberMonth },
];

const formatDollarSpan = ({ from, to }: DollarSpan): string =>
  from === to ? from.toFixed(2) : `${from.toFixed(2)} to ${to.toFixed(2)}`;

export const renderTeamCosts = (costs: Parameters<typeof listTeamCosts>[0]): string[] => {
  const lines = listTeamCosts(costs);
  const sumBound = (bound: keyof DollarSpan) => lines.reduce((total, line) => total + line[bound], 0);
  return [
    "| A month of a team of 40 on call | $ |",
    "|---|---|",
    ...lines.map((line) => `| ${line.what} | ${formatDollarSpan(line)} |`),
    `| **together** | **${formatDollarSpan({ from: sumBound("from"), to: sumBound("to") })}** |`,
    ...others.map(
      ({ name, personMonth, source }) =>
        `| ${name}: ${personMonth} a person (${source}) | ${team.people * personMonth} |`,
    ),
  ];
};
