import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const workflows = globSync(".github/workflows/*.yml", { cwd: root }).map((file) => ({
  file,
  text: readFileSync(join(root, file), "utf8"),
}));

test.each(workflows)("the workflow $file pins actions by commit, and starts with read permission only", ({ text }) => {
  const actions = [...text.matchAll(/uses: (.+)/g)].map(([, action]) => action ?? "");

  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
  expect(text).not.toMatch(/secrets\.|: write-all|pull_request_target/);
});

test.each(workflows)(
  "the workflow $file runs no scripts of packages in a job that can get AWS credentials",
  ({ text }) => {
    if (!text.includes("id-token: write")) return;

    const installs = [...text.matchAll(/run: (npm (?:ci|install|i)\b.*)/g)].map(([, command]) => command ?? "");
    expect(installs).toEqual(["npm ci --ignore-scripts"]);
  },
);

test("container images in workflows are pinned by their digest", () => {
  const images = workflows.flatMap(({ text }) =>
    [...text.matchAll(/(?:container|image): (.+)/g)].map(([, image]) => image),
  );

  expect(images).toEqual([expect.stringMatching(/^node:24-bookworm@sha256:[0-9a-f]{64}$/)]);
});

test("Dependabot proposes updates of npm packages and of actions once they are a week old", () => {
  const kinds = readFileSync(join(root, ".github/dependabot.yml"), "utf8").split("package-ecosystem: ").slice(1);

  expect(kinds.map((kind) => [/^\S+/.exec(kind)?.[0], /default-days: (\d+)/.exec(kind)?.[1]])).toEqual([
    ["npm", "7"],
    ["github-actions", "7"],
  ]);
});

test("a release on GitHub has an SBOM", () => {
  const release = workflows.find(({ file }) => file.endsWith("release.yml"));

  expect(release?.text).toContain('tags: ["v*"]');
  expect(release?.text).toContain("npm sbom --sbom-format=cyclonedx --package-lock-only > sbom.cdx.json");
  expect(release?.text).toContain('gh release create "$GITHUB_REF_NAME" sbom.cdx.json');
});

test.each(workflows)("the workflow $file inserts no text from outside into a command", ({ text }) => {
  const commands = [...text.matchAll(/run: (\|\n(?: {10}.*\n)+|.*)/g)].map(([, command]) => command ?? "");

  expect(commands.length).toBeGreaterThan(0);
  expect(commands.join("\n")).not.toContain("${{");
});
