import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { texts } from "../../console/texts/de/import.ts";

const folder = join(import.meta.dirname, "../../setup/import");
/** The kinds of items that an importer counts. */
const counted = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) => [...readFileSync(join(folder, file), "utf8").matchAll(/\bfind\(\s*"([a-z ]+)"/g)])
  .map(([, kind = ""]) => kind);

it("each kind of item that an importer counts has a German name", () => {
  expect(new Set(counted).size).toBeGreaterThan(10);
  expect(counted.filter((kind) => texts.import.itemsOf(kind) === kind)).toEqual([]);
});
