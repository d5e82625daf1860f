import { writeFileSync } from "node:fs";
import * as v from "valibot";
import { fromIso } from "../core/domain/basics/time.ts";
import { OnCallSchedule, listStretches } from "../core/domain/on-call/index.ts";
import { readArguments } from "../tools/command-line.ts";
import { DAY_MS } from "../core/domain/basics/units.ts";
import { escapeMarkup } from "../core/domain/basics/markup.ts";

/* Draws the pictures of docs/on-call.md by the service's code. If a picture is out of date, a test fails. */

const WIDTH = 720;
const BAR_TOP = 34;
const BAR_HEIGHT = 26;
const colours = ["#3b6fb6", "#e0a030", "#5aa469", "#a05195", "#c0504d", "#4bacc6", "#7f7f7f"];

type Picture = { name: string; title: string; from: string; days: number; tickDays?: number; layers: object[] };

const weekdays = [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "00:00", to: "24:00" }];
const [ann, bob, cyd, dan] = ["usr_Ann", "usr_Bob", "usr_Cyd", "usr_Dan"];
const seven = [ann, bob, cyd, dan, "usr_Eve", "usr_Fay", "usr_Gus"];
const daily = { start: "2026-03-02T00:00", every: 1, unit: "day" };

const pictures: readonly Picture[] = [
  {
    name: "months",
    title: "Every month on the 31st, 09:00, or its last day: Ann, Bob, Cyd",
    from: "2026-01-31T09:00:00Z",
    days: 180,
    layers: [{ start: "2026-01-31T09:00", every: 1, unit: "month", participants: [ann, bob, cyd] }],
  },
  {
    name: "until",
    title: "Ann and Bob by the week; Cyd and Dan over them by the day, until Thursday of the second week",
    from: "2026-03-02T00:00:00Z",
    days: 21,
    tickDays: 3,
    layers: [
      { ...daily, unit: "week", participants: [ann, bob] },
      { ...daily, start: "2026-03-05T00:00", until: "2026-03-12T00:00", participants: [cyd, dan] },
    ],
  },
  {
    name: "together",
    title: "Two days each: Ann and Bob together, Cyd alone, nobody",
    from: "2026-03-02T00:00:00Z",
    days: 14,
    tickDays: 2,
    layers: [{ ...daily, every: 2, participants: [[ann, bob], cyd, []] }],
  },
  {
    name: "calendar",
    title: "Seven people, daily, Monday to Friday, every turn counted: Fay and Gus never serve",
    from: "2026-03-02T00:00:00Z",
    days: 14,
    tickDays: 1,
    layers: [{ ...daily, participants: seven, restrictions: weekdays }],
  },
  {
    name: "duty",
    title: 'The same with "turns": "duty": everybody serves',
    from: "2026-03-02T00:00:00Z",
    days: 14,
    tickDays: 1,
    layers: [{ ...daily, participants: seven, restrictions: weekdays, turns: "duty" }],
  },
];

const toName = (userId: string): string => userId.slice("usr_".length);
const day = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });

const renderScheduleSvg = ({ title, from, days, tickDays, layers }: Picture): string => {
  const schedule = v.parse(OnCallSchedule, { timeZone: "UTC", layers });
  const start = fromIso(from) ?? 0;
  const toX = (ms: number): number => ((ms - start) / (days * DAY_MS)) * WIDTH;
  const people = [...new Set(layers.flatMap((layer) => JSON.stringify(layer).match(/usr_\w+/g) ?? []))];
  const found = [...listStretches({ schedule, overrides: [] }, start, start + days * DAY_MS)];
  const bars = found.flatMap((stretch) => {
    const [x, end] = [toX(stretch.start), toX(stretch.end)];
    const height = BAR_HEIGHT / Math.max(1, stretch.people.length);
    return stretch.people.map(({ userId }, index) => {
      const y = BAR_TOP + index * height;
      const box = `x="${x.toFixed(1)}" y="${y}" width="${(end - x - 1).toFixed(1)}" height="${height - 1}"`;
      const text =
        end - x < 24
          ? ""
          : `<text x="${(x + 3).toFixed(1)}" y="${y + height / 2 + 4}" fill="white">${toName(userId)}</text>`;
      return `<rect ${box} fill="${colours[people.indexOf(userId)]}"><title>${toName(userId)}</title></rect>${text}`;
    });
  });
  // The times with a mark on the axis: every `tickDays` days, or every handoff if `tickDays` is absent.
  const marks =
    tickDays === undefined
      ? found.map((stretch) => stretch.start)
      : Array.from({ length: Math.ceil(days / tickDays) }, (_, index) => start + index * tickDays * DAY_MS);
  const ticks = marks.map((ms, index) => {
    const x = toX(ms).toFixed(1);
    const label =
      index % 2 === 0 || tickDays === undefined
        ? `<text x="${x}" y="${BAR_TOP + BAR_HEIGHT + 20}">${day.format(ms)}</text>`
        : "";
    return `<rect x="${x}" y="${BAR_TOP - 3}" width="1" height="${BAR_HEIGHT + 9}" fill="#999"/>${label}`;
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 0 ${WIDTH + 16} 88" font-family="sans-serif" font-size="11" role="img">` +
    `<title>${escapeMarkup(title)}</title><rect x="-8" width="${WIDTH + 16}" height="88" fill="white"/>` +
    `<text x="0" y="20" font-size="13">${escapeMarkup(title)}</text>${ticks.join("")}${bars.join("")}</svg>\n`
  );
};

export const onCallPictures: readonly { path: URL; content: string }[] = pictures.map((picture) => ({
  path: new URL(`../docs/img/on-call-${picture.name}.svg`, import.meta.url),
  content: renderScheduleSvg(picture),
}));

if (import.meta.main) {
  readArguments("npm run docs:on-call    draws the rotations of docs/on-call.md", {});
  for (const { path, content } of onCallPictures) writeFileSync(path, content);
}
