import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { texts } from "../../console/texts/de/import.ts";

const { itemsOf, remark } = texts.import;

const folder = join(import.meta.dirname, "../../setup/import");
/** The importers' sources, except files whose sentences are not remarks. */
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !/(?:shape|report|command|import-export|files-on-disk)\.ts$/.test(file))
  .map((file) => readFileSync(join(folder, file), "utf8"));
const findInSources = (pattern: RegExp) =>
  sources.flatMap((source) => [...source.matchAll(pattern)].map(([, ...found]) => found.join("")));
const counted = findInSources(/\bcount\(\s*"([a-z ]+)"/g);

it("each kind of item that an importer counts has a German name", () => {
  expect(new Set(counted).size).toBeGreaterThan(10);
  expect(counted.filter((kind) => itemsOf(kind) === kind)).toEqual([]);
});

it("each sentence of the importers has a German translation", () => {
  const sentences = findInSources(/"([^"\n]+)"|`([^`\n]+)`/g)
    .map((text) => text.replace("${UNSAID} ", "").replaceAll(/\$\{[^}]*\}/g, "1"))
    // The two sentences at the start of the contacts file are no remarks.
    .filter((text) => /^[A-Za-z].* .*\.$/.test(text) && !/^(?:The contacts|Contacts) /.test(text));
  expect(sentences.length).toBeGreaterThan(100);
  expect(sentences.filter((sentence) => remark(sentence) === sentence)).toEqual([]);
});

/** The remarks on the recorded exports, as `what: why`. */
const remarks = ["oncall", "opsgenie", "pagerduty"].flatMap((service) =>
  [
    ...readFileSync(join(import.meta.dirname, `../setup/import/__snapshots__/${service}.json`), "utf8").matchAll(
      /^\s*("(?:warning|taken|different|left|missing): .*"),?$/gm,
    ),
  ].map(([, line = ""]) => String(JSON.parse(line)).replace(/^\w+: /, "")),
);
/** English words that no name in the recorded exports contains. */
const ENGLISH = /\b(?:and|are|has|have|is|its|notif\w+|they|with)\b/;
/** For each colon in a line, splits the line there (names may contain colons, too), and translates both parts into German. */
const translateSplits = (line: string) =>
  line.split(": ").map((_, at, parts) => [parts.slice(0, at), parts.slice(at)].map((some) => remark(some.join(": "))));

it("each remark of the importers on the recorded exports has a German sentence", () => {
  expect(remarks.length).toBeGreaterThan(200);
  const isGerman = ([what = "", why = ""]: string[]): boolean =>
    // The text after "Nicht lesbar" comes from the API.
    what !== "" && !ENGLISH.test(`${what} ${why}`.replace(/ Nicht lesbar: .*/, ""));
  expect(remarks.filter((line) => !translateSplits(line).some(isGerman))).toEqual([]);
});

it.each([
  ["that names a shift is translated", "Schedule Web, shift Main", "Dienstplan Web, Schicht Main"],
  ["that names an escalation is translated", "Escalation First: schedule Night", "Eskalation First: Dienstplan Night"],
  ["that names a person is translated", "User a@x: contact methods", "Person a@x: Kontaktwege"],
  [
    "that contains two numbers is translated",
    "group schedule Web with 2 layers, and 1 more for 3 overrides",
    "Gruppe schedule Web (Rotationen: 2, dazu 1 für Vertretungen: 3)",
  ],
  [
    "about an exceeded limit is translated",
    "This layer exceeds a limit of this service: there are 60 turns, and a layer has at most 50 turns.",
    "Die Ebene lässt sich hier nicht abbilden: 60 Abschnitte, eine Rotation hat höchstens 50.",
  ],
  [
    "that begins with a file name is translated",
    "export.json: The file is not JSON: fetch it again.",
    "export.json: Die Datei ist kein JSON: Rufen Sie sie noch einmal ab.",
  ],
  ["of a later version stays in English", "A sentence of a later version.", "A sentence of a later version."],
])("for a person who prefers German, a remark of the importer %s", (_, english, german) => {
  expect(remark(english)).toBe(german);
});
