import { globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { rooms, shelves } from "./walls.ts";

const root = join(import.meta.dirname, "..");

type Import = { file: string; target: string };

const FROM = /^\s*(?:import|export)\b[^;"`]*?\bfrom\s*"([^"]+)"|^\s*import\s+"([^"]+)"|\bimport\(\s*"([^"]+)"/gm;

/** Returns the imports of a file: paths from the root, and names of packages and of Node's modules. */
const listImports = (file: string, text: string): Import[] =>
  [...text.matchAll(FROM)].map(([, from, bare, dynamic]) => {
    const written = from ?? bare ?? dynamic ?? "";
    const [, own] = /^#texts\/(.*)$/.exec(written) ?? [];
    // The package.json file defines `#texts/` as an alias for these files.
    if (own !== undefined) return { file, target: `console/texts/${own}.ts` };
    if (written.startsWith(".")) return { file, target: join(dirname(file), written) };
    const [scope = "", name] = written.split("/");
    return { file, target: scope.startsWith("@") ? `${scope}/${name}` : scope };
  });

const names = Object.keys(rooms).toSorted((one, other) => other.length - one.length);
const groupOf = (file: string): string | undefined => names.find((name) => file.startsWith(name));

const mayImport = ({ file, target }: Import): boolean => {
  const name = groupOf(file);
  const room = rooms[name ?? ""];
  if (room === undefined) return false;
  if (target.startsWith("node:")) return room.node === undefined || room.node.includes(target);
  return (
    groupOf(target) === name ||
    room.may.some((one) => one === "*" || one === target || (/[/\w]$/.test(one) && target.startsWith(one)))
  );
};

const listRefused = (imports: readonly Import[]): string[] =>
  imports.filter((one) => !mayImport(one)).map(({ file, target }) => `${file} imports ${target}`);

const FOLDERS = readdirSync(root, { withFileTypes: true })
  .filter(
    (entry) =>
      entry.isDirectory() &&
      !entry.name.startsWith(".") &&
      !["node_modules", "dist", "cdk.out", "coverage"].includes(entry.name),
  )
  .map(({ name }) => name);
const files = FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root })).filter(
  (file) => !file.endsWith(".d.ts"),
);
const imports = files.flatMap((file) => listImports(file, readFileSync(join(root, file), "utf8")));

describe("the import rules of the repository", () => {
  it("assign every file to a group", () => {
    expect(files.length).toBeGreaterThan(1000);
    expect(files.filter((file) => groupOf(file) === undefined)).toEqual([]);
  });

  it("are followed: no group imports what the table does not allow", () => {
    expect(imports.length).toBeGreaterThan(4000);
    expect(listRefused(imports)).toEqual([]);
  });

  it("allow no import cycle, not even of types", () => {
    // Removes files without remaining imports until nothing changes; the rest is in an import cycle, or imports one.
    const left = new Map(
      files.map((file) => [file, imports.filter((one) => one.file === file).map(({ target }) => target)] as const),
    );
    for (let before = -1; before !== left.size;) {
      before = left.size;
      for (const [file, targets] of left) if (!targets.some((target) => left.has(target))) left.delete(file);
    }

    expect([...left.keys()]).toEqual([]);
  });

  it("allow no two files whose names differ only by their endings", () => {
    const all = FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,json,mjs,cjs}`, { cwd: root }));
    const stems = Map.groupBy(all, (file) => file.slice(0, file.lastIndexOf(".")));

    expect([...stems.values()].filter(({ length }) => length > 1)).toEqual([]);
  });

  it("permit each group only imports that one of its files uses", () => {
    const unused = Object.entries(rooms).flatMap(([name, { may, node = [] }]) => {
      const targets = imports.filter(({ file }) => groupOf(file) === name).map(({ target }) => target);
      // Checks only imports of a single group: a list that several groups share allows more than each of them needs.
      const own = [...may, ...node].filter(
        (one) => one !== "*" && Object.values(rooms).filter(({ may: other }) => other.includes(one)).length === 1,
      );
      return own
        .filter((one) => !targets.some((target) => target.startsWith(one)))
        .map((one) => `${name} may import ${one}`);
    });

    expect(unused).toEqual([]);
  });

  it.each(Object.entries(shelves))(
    "order the files in %s into levels, none of which imports a later one",
    (room, order) => {
      const folderOf = (file: string): string => {
        const [shelf = "", ...rest] = relative(room, file).split("/");
        return rest.length === 0 ? "." : shelf;
      };
      const within = imports.filter(({ file, target }) => file.startsWith(room) && target.startsWith(room));

      expect([...new Set(files.filter((file) => file.startsWith(room)).map(folderOf))].toSorted()).toEqual(
        order.toSorted(),
      );
      expect(within.length).toBeGreaterThan(50);
      expect(
        within.filter(({ file, target }) => order.indexOf(folderOf(target)) > order.indexOf(folderOf(file))),
      ).toEqual([]);
    },
  );

  it("keep the rule engine out of the code that accepts a receipt", () => {
    const reached = new Set(["functions/doors/take-receipt.ts"]);
    for (const file of reached) {
      const text = readFileSync(join(root, file), "utf8").replaceAll(/^(?:import|export) type\b[^;]*;/gm, "");
      for (const { target } of listImports(file, text)) if (files.includes(target)) reached.add(target);
    }

    expect(reached.size).toBeGreaterThan(100);
    expect([...reached].filter((file) => file.startsWith("core/domain/rules/"))).toEqual([]);
  });

  it("are reflected in CONTRIBUTING, folder by folder", () => {
    const map = readFileSync(join(root, "CONTRIBUTING.md"), "utf8").split("## Folders")[1] ?? "";

    expect(FOLDERS.filter((folder) => !map.includes(`\`${folder}/`))).toEqual([]);
  });
});

/** Imports that each violate one rule: every kind of import, and every group of files. */
const planted: readonly [file: string, line: string][] = [
  ["bin/app.ts", 'import { x } from "../core/live.ts";'],
  ["bin/app.ts", 'import "node:fs";'],
  ["lib/stack.ts", 'import { x } from "../functions/matcher.ts";'],
  ["lib/stack.ts", 'import { x } from "../core/flow/sweep/sweep.ts";'],
  ["console/build/build.ts", 'import { x } from "../app/session.ts";'],
  ["lib/build.ts", 'import { x } from "../scripts/docs-logs.ts";'],
  ["functions/matcher.ts", 'import { x } from "../lib/stack.ts";'],
  ["functions/matcher.ts", 'import { x } from "../core/push/fcm.ts";'],
  ["functions/events/get-event.ts", 'import { x } from "@aws-sdk/client-dynamodb";'],
  ["functions/events/get-event.ts", 'import { x } from "node:fs";'],
  ["functions/http/endpoint.ts", 'import { x } from "../events/get-event.ts";'],
  ["functions/http/endpoint.ts", 'import { x } from "../../core/live.ts";'],
  ["functions/sqs/batch.ts", 'import { x } from "../http/problem.ts";'],
  ["functions/http/site.ts", 'import { x } from "../../core/store/events/events.ts";'],
  ["functions/doors/serve-console.ts", 'import { x } from "../../core/live.ts";'],
  ["core/wiring.ts", 'import { x } from "./deps.ts";'],
  ["core/live.ts", 'import { x } from "../functions/matcher.ts";'],
  ["core/domain/event/event.ts", 'import { x } from "../../store/events/events.ts";'],
  ["core/domain/event/event.ts", 'import { x } from "node:crypto";'],
  ["core/domain/event/event.ts", 'import type { x } from "../../deps.ts";'],
  ["core/store/events/events.ts", 'import { x } from "../../flow/sweep/sweep.ts";'],
  ["core/store/events/events.ts", 'import { x } from "../../../scripts/docs-logs.ts";'],
  ["core/store/events/events.ts", 'import { x } from "@aws-sdk/client-sqs";'],
  ["core/queue/send.ts", 'import { x } from "../store/events/events.ts";'],
  ["core/push/fcm.ts", 'import { x } from "../store/events/events.ts";'],
  ["core/post/post.ts", 'import { x } from "../store/events/events.ts";'],
  ["core/flow/sweep/sweep.ts", 'import { x } from "../../push/fcm.ts";'],
  ["core/flow/sweep/sweep.ts", 'import { x } from "../../live.ts";'],
  ["core/flow/sweep/sweep.ts", 'import { x } from "../../../bench/scenario.ts";'],
  ["core/identity/profile.ts", 'import { x } from "../store/events/events.ts";'],
  ["core/sns/receive.ts", 'import { x } from "../flow/sweep/sweep.ts";'],
  ["console/app/session.ts", 'import { x } from "../../interface/routes.ts";'],
  ["console/app/session.ts", 'import { x } from "../../core/domain/event/event.ts";'],
  ["console/app/session.ts", 'const x = await import("../../local/files.ts");'],
  ["console/app/session.ts", 'import "node:fs";'],
  ["local/start.ts", 'import { x } from "../bench/scenario.ts";'],
  ["local/start.ts", 'export { x } from "../scripts/demo.ts";'],
  ["local/start.ts", 'import { x } from "../test/world/app.ts";'],
  ["conformance/run.ts", 'import { x } from "../core/domain/event/event.ts";'],
  ["conformance/run.ts", 'import { x } from "../local/spawn.ts";'],
  ["tools/command-line.ts", 'import { x } from "../scripts/docs-logs.ts";'],
  ["setup/run.ts", 'import { x } from "../core/store/events/events.ts";'],
  ["setup/run.ts", 'import { x } from "@aws-sdk/client-dynamodb";'],
  ["client/client.ts", 'import { x } from "../core/domain/basics/ids.ts";'],
  ["interface/document.ts", 'import { x } from "../local/spawn.ts";'],
  ["interface/routes.ts", 'import { x } from "../functions/http/endpoint.ts";'],
  ["operator/people.ts", 'import { x } from "../bench/scenario.ts";'],
  ["bench/lateness/rows.ts", 'import { x } from "../../core/store/events/events.ts";'],
  ["bench/capacity/bill.ts", 'import { x } from "../../core/store/events/events.ts";'],
  ["scripts/docs-logs.ts", 'import { x } from "../test/world/app.ts";'],
  ["bench/cost.ts", 'import { x } from "../scripts/docs-logs.ts";'],
  ["bench/cost.ts", 'import { x } from "../test/world/app.ts";'],
  ["test/world/app.ts", 'import { x } from "../../scripts/docs-logs.ts";'],
  ["test/faults/run.ts", 'import { x } from "../../scripts/docs-logs.ts";'],
  ["test/model/run.ts", 'import { x } from "../../scripts/docs-logs.ts";'],
  ["test/browser/person.ts", 'import { x } from "../../core/store/events/events.ts";'],
];

const titled = planted.map(([file, line]) => [/"(.+)"/.exec(line)?.[1], file, line] as const);
it.each(titled)("a forbidden import of %s in %s is refused with the name of the file", (_, file, line) => {
  expect(listRefused(listImports(file, `${line}\n`))).toEqual([expect.stringMatching(new RegExp(`^${file} imports `))]);
});

it("for every group of files except the tests, these tests try a forbidden import", () => {
  const tried = planted.map(([file]) => groupOf(file));

  expect(names.filter((name) => name !== "test/" && !tried.includes(name))).toEqual([]);
});
