import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { listChangedLines } from "./changed.ts";
import { areas, isInArea } from "./areas.ts";

describe("the changed lines of a diff", () => {
  it("are the lines that the diff adds or changes, by file, without removed lines", () => {
    const diff = [
      "diff --git a/core/a.ts b/core/a.ts",
      "--- a/core/a.ts",
      "+++ b/core/a.ts",
      "@@ -3 +3 @@ export const a = 1;",
      "-old",
      "+new",
      "@@ -10,0 +11,3 @@",
      "+one",
      "+@@ -1 +1 @@ is text here",
      "+three",
      "@@ -20,2 +23,0 @@",
      "--- a/core/b.ts",
      "+++ b/core/b.ts",
      "@@ -1,2 +1,4 @@",
    ];

    expect(listChangedLines(diff.join("\n"))).toEqual([
      { file: "core/a.ts", from: 3, to: 3 },
      { file: "core/a.ts", from: 11, to: 13 },
      { file: "core/b.ts", from: 1, to: 4 },
    ]);
  });
});

describe("the areas of mutation tests", () => {
  it("contain every file of core/domain/", () => {
    const files = globSync("core/domain/**/*.ts");

    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => !Object.values(areas).some((area) => isInArea(area, file)))).toEqual([]);
  });

  it("contain their own files, and not the files of another area inside them", () => {
    expect(isInArea(areas["rules"]!, "core/domain/rules/silence.ts")).toBe(true);
    expect(isInArea(areas["rules"]!, "core/domain/rules/matching/bucket.ts")).toBe(false);
    expect(isInArea(areas["event"]!, "core/domain/events.ts")).toBe(false);
    expect(isInArea(areas["console"]!, "console/app/inbox.tsx")).toBe(false);
  });
});
