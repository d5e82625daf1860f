import { describe, expect, it } from "vitest";
import { renderComment, writeComment } from "../../setup/action/comment.ts";
import { startGithub } from "./github.ts";

describe("the pull request comment with a plan", () => {
  it.each([
    ["that nothing would change", { code: 0, printed: " \n" }, "### `a.yaml`: Nothing would change\n\n"],
    [
      "what would change, in a block that no text in it can end",
      { code: 2, printed: "\n+ rule ```` `\n@everyone <!-- -->\n" },
      "### `a.yaml`: What applying the file would change\n\n`````text\n+ rule ```` `\n@everyone <!-- -->\n`````\n",
    ],
    [
      "what is wrong with the file",
      { code: 1, printed: "fault" },
      "### `a.yaml`: The file cannot be applied\n\n```text\nfault\n```\n",
    ],
  ])("says %s", (_, planned, expected) => {
    const mark = "<!-- event alerting: plan of a.yaml -->\n";
    expect(renderComment("a.yaml", planned)).toBe(mark + expected);
  });

  it("is cut to the length that GitHub accepts, and says so", () => {
    const createComment = (length: number) => renderComment("a.yaml", { code: 2, printed: "x".repeat(length) });
    expect(createComment(60_000)).not.toContain("and more");
    expect(createComment(60_001)).toContain(`${"x".repeat(60_000)}\n... and more\n`);
    expect(createComment(90_000).length).toBeLessThan(65_536);
  });

  it("escapes the file's name in its marker and heading", () => {
    const [mark, heading] = renderComment("a`-->b/c-1.yaml", { code: 0, printed: "" }).split("\n");
    expect([mark, heading]).toEqual([
      "<!-- event alerting: plan of a_--_b/c-1.yaml -->",
      "### `a-->b/c-1.yaml`: Nothing would change",
    ]);
  });

  it("is created once for each file, and updated afterwards, however many other comments there are", async () => {
    const { on, comments, asked } = await startGithub(120);
    await writeComment(on, "a.yaml", renderComment("a.yaml", { code: 2, printed: "one" }));
    await writeComment(on, "b.yaml", renderComment("b.yaml", { code: 2, printed: "other" }));
    await writeComment(on, "a.yaml", renderComment("a.yaml", { code: 0, printed: "" }));

    expect(comments).toHaveLength(122);
    expect(comments.slice(120).map(({ body }) => body.split("\n")[1])).toEqual([
      "### `a.yaml`: Nothing would change",
      "### `b.yaml`: What applying the file would change",
    ]);
    const pages = [1, 2].map((page) => `GET /repos/acme/alerts/issues/7/comments?per_page=100&page=${page}`);
    const looked = ["POST /graphql", ...pages];
    expect(asked()).toEqual([
      ...looked,
      "POST /repos/acme/alerts/issues/7/comments",
      ...looked,
      "POST /repos/acme/alerts/issues/7/comments",
      ...looked,
      "PATCH /repos/acme/alerts/issues/comments/121",
    ]);
  });

  it("is found on a later page if a hundred other comments fill the first page", async () => {
    const { on, comments, asked } = await startGithub(100);
    await writeComment(on, "a.yaml", "new");

    expect([comments.length, asked().length]).toEqual([101, 4]);
  });

  it("of another author that begins with the marker is not changed", async () => {
    const { on, comments } = await startGithub(1);
    comments[0]!.body = renderComment("a.yaml", { code: 2, printed: "not the plan" });

    await writeComment(on, "a.yaml", renderComment("a.yaml", { code: 0, printed: "" }));

    expect(comments.map(({ user, body }) => [user.login, body.includes("not the plan")])).toEqual([
      ["somebody", true],
      ["github-actions[bot]", false],
    ]);
  });

  it("fails the action if GitHub refuses it, without printing the token", async () => {
    const { on } = await startGithub();
    const refused = writeComment({ ...on, token: "ghs_secret" }, "a.yaml", "b");

    await expect(refused).rejects.toThrow('GitHub answered 403 to POST /graphql: {"message":"no"}');
    await expect(refused).rejects.not.toThrow("ghs_secret");
  });
});
