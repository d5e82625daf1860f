import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { readArguments } from "../tools/command-line.ts";

/* Makes a version: a commit with the new number in all files, and a tag. Pushes nothing. */

class ReleaseError extends Error {}

const STEPS = ["major", "minor", "patch"] as const;

const Version = v.pipe(v.string(), v.regex(/^\d+\.\d+\.\d+$/));

/** Returns the version after `current`. `wanted`: `major`, `minor` or `patch`, or the new version itself. */
export const computeNextVersion = (current: string, wanted: string): string => {
  const [major = 0, minor = 0, patch = 0] = v.parse(Version, current).split(".").map(Number);
  const following = {
    major: `${major + 1}.0.0`,
    minor: `${major}.${minor + 1}.0`,
    patch: `${major}.${minor}.${patch + 1}`,
  };
  const step = STEPS.find((one) => one === wanted || following[one] === wanted);
  if (step === undefined)
    throw new ReleaseError(
      `--version is ${STEPS.map((one) => `${one} (${following[one]})`).join(", ")}, not ${wanted}.`,
    );
  return following[step];
};

/**
 * Replaces the heading `next` of the unreleased changes by a version's `heading`, and adds a new section `next` with the text
 * `empty`. Throws if there are no unreleased changes.
 */
export const closeUnreleased = (
  page: string,
  { next, heading, empty }: { next: string; heading: string; empty: string },
) => {
  const begin = page.indexOf(`${next}\n`);
  const rest = page.slice(begin + next.length);
  const end = rest.indexOf("\n## ");
  const said = (end === -1 ? rest : rest.slice(0, end)).trim();
  if (begin === -1 || said === "") throw new ReleaseError(`There is nothing under "${next}".`);
  return `${page.slice(0, begin)}${next}\n\n${empty === "" ? "" : `${empty}\n\n`}${heading}${rest}`;
};

const root = join(import.meta.dirname, "..");
const runGit = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const readSource = (file: string): string => readFileSync(join(root, file), "utf8");

/** Returns the new contents of the files that contain the version, by path. */
const buildVersionedFiles = (current: string, version: string): Map<string, string> => {
  const day = new Date().toISOString().slice(0, "2026-11-23".length);
  const own = new RegExp(`(?<="version": ?")${current.replaceAll(".", "\\.")}(?=")`);
  const replaceVersion = (file: string): [string, string] => [file, readSource(file).replace(own, version)];
  const [document, text] = replaceVersion("docs/openapi.json");
  // A lock file contains the version twice; the second occurrence is the root package's version.
  const [lockFile, lock] = replaceVersion("package-lock.json");
  return new Map([
    replaceVersion("package.json"),
    replaceVersion("setup/package.json"),
    [document, text],
    // The API of the new version; tests compare later versions with this API.
    ["test/interface/released.json", text],
    [lockFile, lock.replace(own, version)],
    [
      "CHANGELOG.md",
      closeUnreleased(readSource("CHANGELOG.md"), {
        next: "## [Unreleased]",
        heading: `## [${version}] - ${day}`,
        empty: "",
      }),
    ],
    [
      "docs/upgrade.md",
      closeUnreleased(readSource("docs/upgrade.md"), {
        next: "## To the next version",
        heading: `## To ${version}`,
        empty: "Nothing has to be done.",
      }),
    ],
  ]);
};

const usage = `npm run release -- --version major|minor|patch|X.Y.Z    commits and tags a version
npm run release -- --version minor --dry-run             says what it would do, and changes nothing`;

const main = (): void => {
  const values = readArguments(usage, { version: { type: "string" }, "dry-run": { type: "boolean" } });
  if (values.version === undefined) throw new ReleaseError(`Which version?\n\n${usage}`);
  const { version: current } = v.parse(v.object({ version: Version }), JSON.parse(readSource("package.json")));
  const version = computeNextVersion(current, values.version);
  const tag = `v${version}`;
  if (runGit("status", "--porcelain") !== "") throw new ReleaseError("Something is not committed: git status.");
  if (runGit("tag", "--list", tag) !== "") throw new ReleaseError(`There is a tag ${tag}, and tags are never moved.`);
  const files = buildVersionedFiles(current, version);
  const did = values["dry-run"] === true ? "would be" : "is";
  if (values["dry-run"] !== true) {
    for (const [file, text] of files) writeFileSync(join(root, file), text);
    runGit("commit", "--all", "--quiet", "--message", `release: Make version ${version}`);
    runGit("tag", "--annotate", tag, "--message", `Version ${version}: see CHANGELOG.md`);
  }
  console.log(`${version} ${did} in ${[...files.keys()].join(", ")}.`);
  console.log(
    `The tag ${tag} ${did} on ${values["dry-run"] === true ? "that commit" : runGit("rev-parse", "--short", "HEAD")}.`,
  );
  console.log(`Next: git push origin main; wait for its CI; git push origin ${tag}`);
};

if (import.meta.main)
  try {
    main();
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
