/* Estimates the minutes of a year in which pages would be late, from AWS's published incidents of the whole region us-east-1. */

const LATE_AFTER_MINUTES = 5;
/** The time from the end of an outage to the last late page: the goal of `npm run bench:lateness`. */
const DRAIN_MINUTES = 65 / 60;
const YEAR_MINUTES = 365 * 24 * 60;
export const YEARS = [2021, 2022, 2023, 2024, 2025, 2026] as const;

/** `downMinutes`: how long a service that paging needs was down. `impairedMinutes`: how long some calls failed afterwards. */
export type Incident = { date: string; what: string; downMinutes: number; impairedMinutes: number; source: string };

export const incidents: readonly Incident[] = [
  {
    date: "2021-12-07",
    what: "internal network: API Gateway, EventBridge, STS",
    downMinutes: 0,
    impairedMinutes: 549,
    source: "AWS message 12721 for its start, ThousandEyes for its end",
  },
  {
    date: "2021-12-10",
    what: "API errors",
    downMinutes: 0,
    impairedMinutes: 60,
    source: "ThousandEyes, about an hour",
  },
  { date: "2023-06-13", what: "Lambda", downMinutes: 116, impairedMinutes: 112, source: "AWS message 061323" },
  {
    date: "2024-07-30",
    what: "Kinesis, which Lambda and logs use",
    downMinutes: 0,
    impairedMinutes: 412,
    source: "AWS message 073024",
  },
  {
    date: "2025-10-20",
    what: "DynamoDB's name, then Lambda and load balancers",
    downMinutes: 172,
    impairedMinutes: 700,
    source: "AWS message 101925",
  },
];

/** Returns for how many minutes an outage makes pages late, by more than five minutes. */
export const computeLateMinutes = (outageMinutes: number): number =>
  outageMinutes === 0 ? 0 : Math.max(0, outageMinutes - LATE_AFTER_MINUTES + DRAIN_MINUTES);

/** Adds up the minutes in which pages were late: `least` if calls to impaired services finally succeed, `most` if they fail. */
export const sumLateMinutes = (year: number): { least: number; most: number } => {
  const its = incidents.filter(({ date }) => date.startsWith(`${year}-`));
  const sumLate = (getOutageMinutes: (incident: Incident) => number) =>
    its.reduce((total, one) => total + computeLateMinutes(getOutageMinutes(one)), 0);
  return {
    least: sumLate(({ downMinutes }) => downMinutes),
    most: sumLate(({ downMinutes, impairedMinutes }) => downMinutes + impairedMinutes),
  };
};

const formatShareOnTime = (lateMinutes: number): string => `${(100 * (1 - lateMinutes / YEAR_MINUTES)).toFixed(3)} %`;

export const renderIncidents = (): string[] => [
  "| Incident in us-east-1 | Down, min | Impaired after, min | Page late, min | Source |",
  "|---|---|---|---|---|",
  ...incidents.map(({ date, what, downMinutes, impairedMinutes, source }) => {
    const [least, most] = [downMinutes, downMinutes + impairedMinutes].map((minutes) =>
      computeLateMinutes(minutes).toFixed(0),
    );
    return `| ${date}, ${what} | ${downMinutes} | ${impairedMinutes} | ${least} to ${most} | ${source} |`;
  }),
];

export const renderYears = (): string[] => {
  const years = YEARS.map((year) => ({ year, ...sumLateMinutes(year) }));
  const computeMean = (getValue: (one: { least: number; most: number }) => number) =>
    years.reduce((sum, one) => sum + getValue(one), 0) / years.length;
  const all = {
    year: `mean of ${YEARS.length} years`,
    least: computeMean(({ least }) => least),
    most: computeMean(({ most }) => most),
  };
  return [
    "| Year | Minutes, at least | At most | Pages in time |",
    "|---|---|---|---|",
    ...[...years.filter(({ most }) => most > 0), all].map(
      ({ year, least, most }) =>
        `| ${year} | ${least.toFixed(0)} | ${most.toFixed(0)} | ${formatShareOnTime(most)} to ${formatShareOnTime(least)} |`,
    ),
  ];
};
