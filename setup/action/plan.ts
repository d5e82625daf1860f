import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import * as v from "valibot";
import { renderComment, writeComment } from "./comment.ts";

const Environment = v.object({
  SET_UP_FILE: v.pipe(v.string(), v.nonEmpty()),
  GITHUB_TOKEN: v.pipe(v.string(), v.nonEmpty()),
  GITHUB_WORKSPACE: v.string(),
  GITHUB_REPOSITORY: v.pipe(v.string(), v.regex(/^[\w.-]+\/[\w.-]+$/)),
  GITHUB_API_URL: v.optional(v.string(), "https://api.github.com"),
  GITHUB_GRAPHQL_URL: v.optional(v.string(), "https://api.github.com/graphql"),
  GITHUB_EVENT_PATH: v.string(),
});
const Event = v.pipe(
  v.string(),
  v.parseJson(),
  v.object(
    { pull_request: v.object({ number: v.pipe(v.number(), v.integer()) }) },
    "this action is for pull requests only",
  ),
);

const env = v.parse(Environment, process.env);
const { number } = v.parse(Event, readFileSync(env.GITHUB_EVENT_PATH, "utf8")).pull_request;
const checkout = realpathSync(env.GITHUB_WORKSPACE);
// The setup file must not be a symbolic link out of the checkout, because the comment quotes faults of the file.
const named = join(checkout, env.SET_UP_FILE);
const file = existsSync(named) ? realpathSync(named) : named;
if (!file.startsWith(`${checkout}${sep}`))
  throw new Error("the setup file must be in the checkout, and must not be a link to a file outside of the checkout");
const ended = spawnSync(process.execPath, [join(import.meta.dirname, "../main.ts"), "plan", file], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "pipe"],
});
const planned = { code: ended.status ?? 1, printed: `${ended.stdout}${ended.stderr}` };
process.stdout.write(planned.printed);
const on = {
  api: env.GITHUB_API_URL,
  graphql: env.GITHUB_GRAPHQL_URL,
  token: env.GITHUB_TOKEN,
  repository: env.GITHUB_REPOSITORY,
  number,
};
await writeComment(on, env.SET_UP_FILE, renderComment(env.SET_UP_FILE, planned));
// A plan with differences (code 2) is not a failure.
process.exitCode = planned.code === 2 ? 0 : planned.code;
