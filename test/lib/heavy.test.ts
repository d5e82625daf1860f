import { expect, it } from "vitest";
import { listHeavyPackageErrors, listUnusedReplacements, listBundleSizeErrors } from "../../lib/build.ts";

const createBundle = (name: string, bytesInOutput: number) => ({
  bytes: bytesInOutput,
  exports: [],
  imports: [],
  inputs: { [`node_modules/${name}/index.js`]: { bytesInOutput } },
});

it("the check of heavy packages reports each function that starts or stops loading a heavy package", () => {
  const outputs = {
    "dist/matcher/index.js": createBundle("re2js", 150_000),
    "dist/delete-device/index.js": createBundle("re2js", 150_000),
    "dist/get-device/index.js": createBundle("re2js", 0),
    "dist/explain/index.js": createBundle("re2js-like", 5),
    "dist/get-rule/index.js": {
      ...createBundle("re2js-like", 5),
      imports: [{ path: "./re2js.js", kind: "require-call" as const, external: true }],
    },
  };

  expect(listHeavyPackageErrors({ inputs: {}, outputs }, { re2js: ["matcher", "explain"] })).toEqual([
    "delete-device includes re2js, which it does not need",
    "get-rule includes re2js, which it does not need",
    "explain no longer contains re2js: remove it from the list",
  ]);
});

it("the check of bundle sizes finds a bundle that exceeds its limit in bytes", () => {
  const outputs = {
    "dist/sender/index.js": { ...createBundle("valibot", 1), bytes: 420_001 },
    "dist/sender/index.js.map": { ...createBundle("valibot", 1), bytes: 900_000 },
    "dist/matcher/index.js": { ...createBundle("valibot", 1), bytes: 409_999 },
  };

  expect(listBundleSizeErrors({ inputs: {}, outputs })).toEqual(["sender has 420001 bytes, over its 420000"]);
});

it("the build's check of packages that it replaces by smaller files finds a package that no bundle imports any more", () => {
  const imports = [{ path: "lib/leaner/empty.ts", kind: "import-statement" as const, original: "google-auth-library" }];

  expect(
    listUnusedReplacements({ inputs: { "a.ts": { bytes: 1, imports } } }, ["google-auth-library", "moved"]),
  ).toEqual(["moved"]);
});
