import * as v from "valibot";

/*
 * Writes a setup file's plan on a pull request, as one comment that later runs overwrite.
 * https://docs.github.com/en/rest/issues/comments
 */

/** The exit code and the output of `alerts plan`. Code 2: the plan has changes. */
export type PlanResult = { code: number; printed: string };

/** Returns a hidden mark that identifies the comment. `file`: the path of the setup file, which has its own comment. */
const createMark = (file: string): string => `<!-- event alerting: plan of ${file.replaceAll(/[^\w./-]/g, "_")} -->`;

/** How much of a plan a comment shows: less than GitHub's limit of 65,536 characters. */
const SHOWN_CHARACTERS = 60_000;

/** Returns a Markdown fence that is longer than any fence in the text. */
const chooseFence = (text: string): string => {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length);
  return "`".repeat(Math.max(3, ...runs.map((length) => length + 1)));
};

const chooseHeading = ({ code }: PlanResult): string => {
  if (code === 0) return "Nothing would change";
  return code === 2 ? "What applying the file would change" : "The file cannot be applied";
};

export const renderComment = (file: string, planned: PlanResult): string => {
  const text = planned.printed.trim();
  const cut = text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}\n... and more`;
  const fence = chooseFence(cut);
  const path = file.replaceAll("`", "");
  return [
    createMark(file),
    `### \`${path}\`: ${chooseHeading(planned)}`,
    "",
    ...(cut === "" ? [] : [`${fence}text`, cut, fence]),
    "",
  ].join("\n");
};

const Comments = v.array(
  v.object({ id: v.number(), body: v.nullish(v.string()), user: v.nullish(v.object({ login: v.string() })) }),
);
const PER_PAGE = 100;

/** `api`, `graphql`: GitHub's URLs; `repository`: `owner/name`. */
export type PullRequest = { api: string; graphql: string; token: string; repository: string; number: number };

/** Sends a request, and returns the parsed answer. Errors have GitHub's message, but never the token. */
const callGithub = async ({ token }: PullRequest, method: string, url: string, body?: object): Promise<unknown> => {
  const answer = await fetch(url, {
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
  if (!answer.ok)
    throw new Error(`GitHub answered ${answer.status} to ${method} ${new URL(url).pathname}: ${text.slice(0, 300)}`);
  return v.parse(v.pipe(v.string(), v.parseJson()), text);
};

const Viewer = v.object({ data: v.object({ viewer: v.object({ login: v.string() }) }) });

/** Returns the token's login. Uses GraphQL, because the REST API does not return the login for a workflow's own token. */
const readAuthor = async (pull: PullRequest): Promise<string> =>
  v.parse(Viewer, await callGithub(pull, "POST", pull.graphql, { query: "query { viewer { login } }" })).data.viewer
    .login;

/** Writes the comment, or overwrites the author's comment with the same hidden mark. Other people may copy the mark. */
export const writeComment = async (pull: PullRequest, file: string, body: string): Promise<void> => {
  const comments = `${pull.api}/repos/${pull.repository}/issues/${pull.number}/comments`;
  const author = await readAuthor(pull);
  for (let page = 1; ; page += 1) {
    const some = v.parse(Comments, await callGithub(pull, "GET", `${comments}?per_page=${PER_PAGE}&page=${page}`));
    const own = some.find((one) => one.user?.login === author && one.body?.startsWith(createMark(file)) === true);
    if (own !== undefined) {
      await callGithub(pull, "PATCH", `${pull.api}/repos/${pull.repository}/issues/comments/${own.id}`, { body });
      return;
    }
    if (some.length < PER_PAGE) break;
  }
  await callGithub(pull, "POST", comments, { body });
};
