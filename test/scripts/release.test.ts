import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { closeUnreleased, computeNextVersion } from "../../scripts/release.ts";

const root = join(import.meta.dirname, "../..");

test("a new version must be a next version by Semantic Versioning", () => {
  expect(computeNextVersion("0.1.0", "minor")).toBe("0.2.0");
  expect(computeNextVersion("1.4.2", "major")).toBe("2.0.0");
  expect(computeNextVersion("1.4.2", "patch")).toBe("1.4.3");
  expect(computeNextVersion("1.4.2", "1.5.0")).toBe("1.5.0");
  expect(() => computeNextVersion("1.4.2", "1.6.0")).toThrow("major (2.0.0), minor (1.5.0), patch (1.4.3), not 1.6.0");
});

test("a release moves the unreleased section to the version, and refuses an empty section", () => {
  const as = { next: "## Next", heading: "## 0.2.0", empty: "Nothing." };

  expect(closeUnreleased("# Page\n\n## Next\n\n- More.\n\n## 0.1.0\n", as)).toBe(
    "# Page\n\n## Next\n\nNothing.\n\n## 0.2.0\n\n- More.\n\n## 0.1.0\n",
  );
  expect(() => closeUnreleased("## Next\n\n## 0.1.0\n\n- Less.\n", as)).toThrow('There is nothing under "## Next".');
  // Most versions need no action for an upgrade, and their section says so.
  expect(closeUnreleased("## Next\n\nNothing.\n", as)).toBe("## Next\n\nNothing.\n\n## 0.2.0\n\nNothing.\n");
});

test("no page of the docs names a git tag by its number, because the tag may not exist", () => {
  const pages = globSync(["*.md", "docs/**/*.md"], { cwd: root });
  const named = pages.filter((page) => /\bv\d+\.\d+\.\d+\b/.test(readFileSync(join(root, page), "utf8")));

  expect(named).toEqual([]);
});

const runInClone = (work: (dir: string, git: (...args: string[]) => string) => void): void => {
  const dir = mkdtempSync(join(tmpdir(), "release-"));
  try {
    execFileSync("git", ["clone", "--quiet", "--no-tags", root, dir]);
    const runGit = (...args: string[]): string => execFileSync("git", args, { cwd: dir, encoding: "utf8" }).trim();
    runGit("config", "user.name", "Release");
    runGit("config", "user.email", "release@example.com");
    runGit("checkout", "--quiet", "-B", "main");
    work(dir, runGit);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};

describe("npm run release", () => {
  test("creates one commit with the version in every place, and a tag on it; a dry run changes nothing", () => {
    runInClone((dir, git) => {
      symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
      // The .gitignore file ignores only a folder named node_modules, but this is a link.
      writeFileSync(join(dir, ".git/info/exclude"), "node_modules\n");
      const runRelease = (...args: string[]) =>
        spawnSync(process.execPath, ["scripts/release.ts", "--version", "major", ...args], {
          cwd: dir,
          encoding: "utf8",
        });
      const current = (JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) as { version: string }).version;
      const version = computeNextVersion(current, "major");
      // Directly after a release, the unreleased section is empty.
      const changelog = join(dir, "CHANGELOG.md");
      const page = readFileSync(changelog, "utf8");
      writeFileSync(changelog, page.replace("## [Unreleased]\n", "## [Unreleased]\n\n### Fixed\n\n- A mistake.\n"));
      git("commit", "--all", "--quiet", "--message", "docs: Say what was mended");
      const before = git("rev-parse", "HEAD");

      expect(runRelease("--dry-run")).toMatchObject({ status: 0, stderr: "" });
      expect([git("rev-parse", "HEAD"), git("status", "--porcelain"), git("tag")]).toEqual([before, "", ""]);

      expect(runRelease()).toMatchObject({ status: 0, stderr: "" });
      expect(git("log", "--format=%s", `${before}..HEAD`)).toBe(`release: Make version ${version}`);
      expect(git("rev-parse", `v${version}^{commit}`)).toBe(git("rev-parse", "HEAD"));
      expect(git("status", "--porcelain")).toBe("");
      expect(git("show", "--format=", "--name-only", "HEAD").split("\n").sort()).toEqual([
        "CHANGELOG.md",
        "docs/openapi.json",
        "docs/upgrade.md",
        "package-lock.json",
        "package.json",
        "setup/package.json",
        "test/interface/released.json",
      ]);
      expect(readFileSync(join(dir, "CHANGELOG.md"), "utf8")).toMatch(
        new RegExp(
          `^## \\[Unreleased\\]\n\n## \\[${version.replaceAll(".", "\\.")}\\] - \\d{4}-\\d\\d-\\d\\d\n\n### `,
          "m",
        ),
      );

      expect(runRelease()).toMatchObject({ status: 1, stdout: "" });
    });
  });

  test("deploys only a commit on main with green checks", () => {
    runInClone((dir, git) => {
      const gh = join(dir, ".git/gh");
      writeFileSync(gh, '#!/bin/sh\ncase "$*" in *"--commit $GREEN "*) echo 1 ;; *) echo 0 ;; esac\n');
      chmodSync(gh, 0o755);
      const commit = git("rev-parse", "HEAD");
      git("update-ref", "refs/remotes/origin/main", commit);
      git("commit", "--quiet", "--allow-empty", "--message", "Not on main");
      const runGreenCheck = (checkedCommit: string, greenCommit: string) =>
        spawnSync(join(root, ".ci/green"), [checkedCommit], {
          cwd: dir,
          encoding: "utf8",
          env: {
            PATH: `${join(dir, ".git")}:${process.env["PATH"]}`,
            GITHUB_REPOSITORY: "acme/alerts",
            GREEN: greenCommit,
          },
        });

      expect(runGreenCheck(commit, commit)).toMatchObject({
        status: 0,
        stdout: `${commit} is on main, and its CI has succeeded.\n`,
      });
      expect(runGreenCheck(commit, "another")).toMatchObject({ status: 1, stdout: "" });
      expect(runGreenCheck("HEAD", git("rev-parse", "HEAD"))).toMatchObject({ status: 1, stdout: "" });
    });
  });

  test("reports a commit subject without its area, or with more than 72 characters", () => {
    runInClone((dir, git) => {
      const checkSubject = (subject: string) => {
        git("commit", "--quiet", "--allow-empty", "--message", subject);
        return spawnSync(join(root, ".ci/subjects"), ["HEAD~1"], { cwd: dir, encoding: "utf8" });
      };
      const whole = `core, docs: ${"X".repeat(60)}`;

      expect(checkSubject(whole)).toMatchObject({ status: 0, stderr: "" });
      for (const wrong of [`${whole}y`, "Say nothing of where", "core: say it small"])
        expect(checkSubject(wrong)).toMatchObject({
          status: 1,
          stderr: expect.stringContaining(`${wrong.length}: ${wrong}`) as string,
        });
    });
  });
});
