/** `what`: the item's name in remarks; `count`: the number of items that the item represents. */
export type ItemCount = { kind: string; what: string; count: number };

/** `left`: left out of the file; `missing`: not in the export; `warning`: people are notified differently. */
export type Remark = { kind: "warning" | "taken" | "different" | "left" | "missing"; what: string; why: string };

/** A period in which different people are on call in the two services: times in ms since 1970, people by email address. */
export type Difference = { from: number; to: number; theirs: readonly string[]; ours: readonly string[] };

/** `source`: the data of the export from which the on-call times were computed. */
export type ComparedShifts = { schedule: string; groups: readonly string[]; source: string; differences: Difference[] };

const DIFFERENCES_SHOWN = 20;

const escapeCell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
const formatMinute = (time: number): string => `${new Date(time).toISOString().slice(0, 16)}Z`;
const joinPeople = (people: readonly string[]): string => (people.length === 0 ? "nobody" : people.join(", "));
export const renderTable = (headings: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  `| ${headings.join(" | ")} |`,
  `| ${headings.map(() => "---").join(" | ")} |`,
  ...rows.map((row) => `| ${row.map(escapeCell).join(" | ")} |`),
];

const renderSection = (title: string, lines: readonly string[]): string[] => [`## ${title}`, "", ...lines, ""];

/** Returns a table of the remarks of a kind, or the line `empty`. `heading`: the heading of the reasons. */
const renderRemarks = (remarks: readonly Remark[], kind: Remark["kind"], empty: string, heading: string): string[] => {
  const ofKind = remarks.filter((remark) => remark.kind === kind);
  return ofKind.length === 0
    ? [empty]
    : renderTable(
        ["What", heading],
        ofKind.map(({ what, why }) => [what, why]),
      );
};

const describeDifferentHours = (differences: readonly Difference[]): string => {
  const hours = differences.reduce((sum, { from, to }) => sum + (to - from) / 3_600_000, 0);
  return hours === 0 ? "equal" : `${hours} h different`;
};

const renderDifferences = ({ schedule, differences }: ComparedShifts): string[] => {
  if (differences.length === 0) return [];
  const shown = differences
    .slice(0, DIFFERENCES_SHOWN)
    .map(({ from, to, theirs, ours }) => [formatMinute(from), formatMinute(to), joinPeople(theirs), joinPeople(ours)]);
  const more = differences.length - shown.length;
  return [
    "",
    `### ${schedule}`,
    "",
    ...renderTable(["From", "To", "By the export", "By the file"], shown),
    ...(more > 0 ? ["", `And ${more} more.`] : []),
  ];
};

/** Counts the items of each kind: found, imported, imported differently, and left out. */
export const countItems = (counts: readonly ItemCount[], remarks: readonly Remark[]) => {
  const listRemarkedItems = (kind: Remark["kind"]) =>
    new Set(remarks.flatMap((remark) => (remark.kind === kind ? [remark.what] : [])));
  const [taken, different] = [listRemarkedItems("taken"), listRemarkedItems("different")];
  return [...Map.groupBy(counts, ({ kind }) => kind)].map(([kind, things]) => {
    const sumCounts = (counts: readonly ItemCount[]) => counts.reduce((total, { count }) => total + count, 0);
    const took = things.filter(({ what }) => taken.has(what));
    return {
      kind,
      found: sumCounts(things),
      taken: sumCounts(took),
      different: sumCounts(took.filter(({ what }) => different.has(what))),
      left: sumCounts(things) - sumCounts(took),
    };
  });
};

/** Returns the report of an import as Markdown. */
export const toImportReport = (
  service: string,
  { fromMs, days }: { fromMs: number; days: number },
  compared: readonly ComparedShifts[],
  remarks: readonly Remark[],
  counts: readonly ItemCount[] = [],
): string =>
  [
    `# What was imported from ${service}`,
    "",
    ...(remarks.some(({ kind }) => kind === "warning")
      ? renderSection("Read this first", renderRemarks(remarks, "warning", "", "Warning"))
      : []),
    ...(counts.length === 0
      ? []
      : renderSection(
          "What the export has",
          renderTable(
            ["Kind", "In the export", "Imported", "Imported with a difference", "Not imported"],
            countItems(counts, remarks).map(({ kind, found: all, taken, different, left }) => [
              kind,
              ...[all, taken, different, left].map(String),
            ]),
          ),
        )),
    ...renderSection(`Who is on call, for ${days} days from ${formatMinute(fromMs)}`, [
      ...(compared.length === 0
        ? ["The export has no schedules."]
        : renderTable(
            ["Schedule", "Groups", "Source of the export's shifts", "Comparison"],
            compared.map(({ schedule, groups, source, differences }) => [
              schedule,
              groups.join(", "),
              source,
              describeDifferentHours(differences),
            ]),
          )),
      ...compared.flatMap(renderDifferences),
    ]),
    ...renderSection(
      "Missing in the export",
      renderRemarks(remarks, "missing", "The export's files contain no items.", "What is missing"),
    ),
    ...renderSection("Not imported", renderRemarks(remarks, "left", "Nothing was left out.", "Reason")),
    ...renderSection("Imported with a difference", renderRemarks(remarks, "different", "Nothing.", "Difference")),
    ...renderSection("Imported", renderRemarks(remarks, "taken", "Nothing.", "As")),
  ]
    .join("\n")
    .trimEnd()
    .concat("\n");
