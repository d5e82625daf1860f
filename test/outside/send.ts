import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as v from "valibot";
import { readArguments } from "../../tools/command-line.ts";
import { spawnService } from "../../local/spawn.ts";
import { WITH_CLIENT } from "../../console/pages/keys/snippets.ts";
import { installClient } from "../support/client-package.ts";
import { type FaultyAnswer, startFaultyService } from "./send/faulty-service.ts";

readArguments(
  "npm run test:send    runs what docs/send.md offers to copy, also where the service is busy, refuses or hangs",
  {},
);

/*
 * Runs the snippets of docs/send.md unchanged against the local service: each creates one event, and the job calls its
 * heartbeat. Each snippet is run again with a service that is busy, fails, refuses or hangs. Terraform's snippet needs an AWS
 * account and is not run; Prometheus's is run by `npm run test:alertmanager`.
 */

const run = promisify(execFile);
const page = readFileSync(join(import.meta.dirname, "../../docs/send.md"), "utf8");

const readSnippet = (heading: string): string => {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  const code = /```\w+\n(?<code>.*?)```/s.exec(section ?? "")?.groups?.["code"];
  if (code === undefined) throw new Error(`docs/send.md has no code below ${heading}`);
  return code;
};

/** Returns the shell command of a workflow's step, with GitHub's expressions filled in. */
const readStepCommand = (yaml: string, baseUrl: string): string => {
  const command = /run: \|\n(?<command>.*)/s.exec(yaml)?.groups?.["command"];
  if (command === undefined) throw new Error("the workflow's step runs nothing");
  return command.replace("https://alerts.example.com", baseUrl).replaceAll(/\$\{\{ github\.(\w+) \}\}/g, "some $1");
};

type Snippet = {
  heading: string;
  file: string;
  command: readonly string[];
  edit?: (code: string, baseUrl: string) => string;
  /** How many events the snippet creates; 1 by default. */
  makes?: number;
};

const snippets: readonly Snippet[] = [
  { heading: "curl", file: "send.sh", command: ["bash", "-eu"] },
  { heading: "JavaScript", file: "send.mjs", command: [process.execPath] },
  { heading: WITH_CLIENT, file: "client.mjs", command: [process.execPath] },
  { heading: "Python", file: "send.py", command: ["python3"] },
  { heading: "Go", file: "send.go", command: ["go", "run"] },
  { heading: "GitHub Actions", file: "step.sh", command: ["bash", "-eu"], edit: readStepCommand },
  { heading: "A job that must run", file: "job.sh", command: ["bash", "-eu"], makes: 0 },
];

/** The expected reaction of a snippet to the service's answers: how many attempts it makes, and what it prints if it fails. */
const failures: readonly { answers: readonly FaultyAnswer[]; tries: number; says?: string }[] = [
  { answers: [503, 201], tries: 2 },
  { answers: [429, 503, 201], tries: 3 },
  { answers: ["hang", 201], tries: 2 },
  { answers: [422], tries: 1, says: "title: title is required." },
];

type Failure = { stdout: string; stderr: string };
const isFailure = (error: unknown): error is Failure =>
  typeof error === "object" && error !== null && "stdout" in error && "stderr" in error;

const checkFailure = async (
  heading: string,
  [program = "", ...args]: readonly string[],
  write: (baseUrl: string) => string,
  { answers, tries, says }: (typeof failures)[number],
): Promise<void> => {
  const faulty = await startFaultyService();
  try {
    faulty.answerWith(...answers);
    const env = {
      ...process.env,
      BASE_URL: faulty.url,
      API_KEY: "eak_1",
      HEARTBEAT_URL: `${faulty.url}/v1/heartbeats/call_1`,
    };
    const said = await run(program, [...args, write(faulty.url)], { env, cwd: dir }).then(
      () => undefined,
      (error: unknown) => {
        if (!isFailure(error)) throw error;
        return error.stdout + error.stderr;
      },
    );
    const [keys, name] = [faulty.keys(), `${heading}, answered ${answers.join(", ")}`];
    if (says === undefined ? said !== undefined : said?.includes(says) !== true)
      throw new Error(`${name}: said ${said ?? "nothing"}`);
    if (keys.length !== tries) throw new Error(`${name}: ${keys.length} tries instead of ${tries}`);
    if (new Set(keys).size !== 1) throw new Error(`${name}: another idempotency key for each try`);
  } finally {
    await faulty.close();
  }
};

const Total = v.object({ total: v.number() });
const Heartbeat = v.object({ id: v.string(), url: v.string() });
const CalledHeartbeat = v.object({ lastCallAt: v.nullable(v.string()) });

const dir = mkdtempSync(join(tmpdir(), "send-"));
const began = performance.now();
await installClient(dir);
const service = await spawnService({ dir: join(dir, "service") });
try {
  const { id, apiKey, members } = service.workspace("Acme");
  const { baseUrl } = service.session;
  const as = members[0]?.token ?? "";
  const countEvents = async () =>
    v.parse(Total, (await service.call("GET", `/v1/workspaces/${id}/events?limit=1`, { as })).body).total;
  const input = { name: "Nightly backup", everySeconds: 86_400 };
  const made = await service.call("POST", `/v1/workspaces/${id}/heartbeats`, { as, body: input });
  const heartbeat = v.parse(Heartbeat, made.body);
  const env = { ...process.env, BASE_URL: baseUrl, API_KEY: apiKey, HEARTBEAT_URL: heartbeat.url };
  for (const { heading, file, command, edit, makes = 1 } of snippets) {
    const before = await countEvents();
    writeFileSync(join(dir, file), edit?.(readSnippet(heading), baseUrl) ?? readSnippet(heading));
    const [program = "", ...args] = command;
    await run(program, [...args, join(dir, file)], { env, cwd: dir });
    const made = (await countEvents()) - before;
    if (made !== makes) throw new Error(`${heading} made ${made} events instead of ${makes}`);
    console.log(`${heading}: ${makes === 1 ? "one event" : "no event"}`);
  }
  await Promise.all(
    snippets.map(async ({ heading, file, command, edit }) => {
      const writeProgram = (url: string): string => {
        const own = join(dir, `${new URL(url).port}-${file}`);
        writeFileSync(own, edit?.(readSnippet(heading), url) ?? readSnippet(heading));
        return own;
      };
      await Promise.all(failures.map((trouble) => checkFailure(heading, command, writeProgram, trouble)));
      console.log(`${heading}: tries again while the service is busy, fails or hangs, and reports the answer`);
    }),
  );
  const { body } = await service.call("GET", `/v1/workspaces/${id}/heartbeats/${heartbeat.id}`, { as });
  if (v.parse(CalledHeartbeat, body).lastCallAt === null) throw new Error("the job has not called");
  console.log(`what docs/send.md offers works (${Math.round((performance.now() - began) / 1000)} s)`);
} finally {
  await service.stop();
  rmSync(dir, { recursive: true, force: true });
}
