import * as v from "valibot";

/*
 * What a plan of the set-up file says on a pull request: one comment, which is written again with each change of the
 * pull request. https://docs.github.com/en/rest/issues/comments
 */

/** How `alerts plan` ended, and what it printed. 2: there is something to change. */
export type Planned = { code: number; printed: string };

/** By this, which nobody sees, the comment is found again. `file`: each set-up file has a comment of its own. */
const markOf = (file: string): string => `<!-- event alerting: plan of ${file.replaceAll(/[^\w./-]/g, "_")} -->`;

/** GitHub takes 65,536 characters. */
const SHOWN_CHARACTERS = 60_000;

/** A fence that nothing in the text can end. */
const fenceFor = (text: string): string => {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length);
  return "`".repeat(Math.max(3, ...runs.map((length) => length + 1)));
};

const headingOf = ({ code }: Planned): string => {
  if (code === 0) return "Nothing would change";
  return code === 2 ? "What applying it would change" : "It cannot be applied";
};

export const commentOf = (file: string, planned: Planned): string => {
  const text = planned.printed.trim();
  const cut = text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}\n... and more`;
  const fence = fenceFor(cut);
  const path = file.replaceAll("`", "");
  return [
    markOf(file),
    `### \`${path}\`: ${headingOf(planned)}`,
    "",
    ...(cut === "" ? [] : [`${fence}text`, cut, fence]),
    "",
  ].join("\n");
};

const Comments = v.array(v.object({ id: v.number(), body: v.nullish(v.string()) }));
const PER_PAGE = 100;

/** The repository (`owner/name`) and the number of the pull request, and how GitHub is asked. */
export type PullRequest = { api: string; token: string; repository: string; number: number };

/** Throws what GitHub says when it refuses, without the token. */
const ask = async ({ api, token }: PullRequest, method: string, path: string, body?: object): Promise<unknown> => {
  const answer = await fetch(`${api}${path}`, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "x-github-api-version": "2022-11-28",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`GitHub answered ${answer.status} to ${method} ${path}: ${text.slice(0, 300)}`);
  return v.parse(v.pipe(v.string(), v.parseJson()), text);
};

/** Writes the comment, or writes over the one that is there. */
export const writeComment = async (on: PullRequest, file: string, body: string): Promise<void> => {
  const comments = `/repos/${on.repository}/issues/${on.number}/comments`;
  for (let page = 1; ; page += 1) {
    const some = v.parse(Comments, await ask(on, "GET", `${comments}?per_page=${PER_PAGE}&page=${page}`));
    const own = some.find((one) => one.body?.startsWith(markOf(file)) === true);
    if (own !== undefined) {
      await ask(on, "PATCH", `/repos/${on.repository}/issues/comments/${own.id}`, { body });
      return;
    }
    if (some.length < PER_PAGE) break;
  }
  await ask(on, "POST", comments, { body });
};
