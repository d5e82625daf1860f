import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as v from "valibot";
import { readArguments } from "../../tools/command-line.ts";
import { createCertificate } from "../../local/fcm/certificate.ts";
import { listenLocally } from "../../local/listen.ts";
import { spawnService } from "../../local/spawn.ts";
import { opsgenie, pagerduty } from "./send/client-programs.ts";

readArguments("npm run test:clients    lets Opsgenie's and PagerDuty's own clients send to the local service", {});

/*
 * Sends alerts with the clients of other services, in which only the URL is changed, as docs/sources.md describes. Each call for
 * an alert's lifecycle must succeed, or be refused with a reason. The clients are not part of the service:
 * test/outside/clients/package-lock.json names their versions.
 */

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const cache = join(root, "node_modules/.cache/clients");

const install = async (): Promise<void> => {
  mkdirSync(cache, { recursive: true });
  for (const name of ["package.json", "package-lock.json"])
    cpSync(join(root, "test/outside/clients", name), join(cache, name));
  await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: cache });
};

/** Starts a TLS proxy, which PagerDuty's client requires. */
const startTlsProxy = async (baseUrl: string) => {
  const { key, cert } = createCertificate(["localhost"]);
  const server = createServer({ key, cert }, (incoming, response) => {
    const { method, headers, url = "/" } = incoming;
    const passed = httpRequest(
      new URL(baseUrl),
      { method, path: url, headers: { ...headers, host: new URL(baseUrl).host } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    incoming.pipe(passed);
  });
  const { port, close } = await listenLocally(server, 0);
  return { port, cert, close };
};

const ClientOutput = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.tuple([v.string(), v.number(), v.optional(v.nullable(v.string()))])),
);
const Page = v.object({ items: v.array(v.object({ eventKey: v.string(), state: v.string() })) });

/** Calls that the service supports; any other must be refused. */
const SUPPORTED_CALLS: ReadonlySet<string> = new Set([
  "trigger",
  "resolve",
  "trigger without a key",
  "resolve by the key of the answer",
  "create",
  "delete",
  "close",
]);

const checkAnswers = (client: string, said: v.InferOutput<typeof ClientOutput>): void => {
  for (const [call, status, words] of said) {
    const isDone = status === 202;
    const isRefused = status >= 400 && status < 500 && (words ?? "") !== "";
    console.log(`${client} ${call}: ${status}${isRefused ? ` ${words ?? ""}` : ""}`);
    if (SUPPORTED_CALLS.has(call) ? !isDone : !isRefused)
      throw new Error(`${client}: ${call} was answered ${status} ${words ?? ""}`);
  }
};

await install();
const dir = mkdtempSync(join(tmpdir(), "clients-"));
const service = await spawnService({ dir: join(dir, "service") });
const front = await startTlsProxy(service.session.baseUrl);
try {
  const { id, apiKey, members } = service.workspace("Acme");
  const { baseUrl } = service.session;
  writeFileSync(join(dir, "front.pem"), front.cert);
  const runClient = async (program: string, env: Record<string, string>) => {
    const own = { ...process.env, API_KEY: apiKey, NODE_EXTRA_CA_CERTS: join(dir, "front.pem"), ...env };
    const { stdout } = await run(process.execPath, ["-e", program], { cwd: cache, env: own });
    return v.parse(ClientOutput, stdout.trim().split("\n").at(-1));
  };

  checkAnswers("PagerDuty", await runClient(pagerduty, { SERVER: `localhost:${front.port}/v1/events/from/pagerduty` }));
  checkAnswers("Opsgenie", await runClient(opsgenie, { HOST: `${baseUrl}/v1/events/from/opsgenie` }));

  const as = members[0]?.token ?? "";
  const { items } = v.parse(Page, (await service.call("GET", `/v1/workspaces/${id}/events?limit=100`, { as })).body);
  // No rule matches the clients' events, so the service also creates notices to the owners.
  const sent = items.filter(({ eventKey }) => !eventKey.startsWith("service."));
  const made = sent.map(({ eventKey }) => eventKey).toReversed();
  const wanted = ["pagerduty", "pagerduty", "opsgenie"].flatMap((tool) => [`${tool}.firing`, `${tool}.resolved`]);
  // Opsgenie's client deletes the alert and then also closes it.
  wanted.push("opsgenie.resolved");
  if (made.join() !== wanted.join()) throw new Error(`the clients made ${made.join(", ")}`);
  if (items.some(({ state }) => state === "open")) throw new Error("an alert that its client ended is open");
  console.log("other services' own clients get through");
} finally {
  await front.close();
  await service.stop();
  rmSync(dir, { recursive: true, force: true });
}
