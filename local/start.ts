import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { readArguments } from "../tools/command-line.ts";
import { OPERATOR } from "./aws/policies.ts";
import {
  parseCallsRegion,
  readDemoDays,
  parseLocalPush,
  parsePort,
  parseSingleSignOn,
  parseTickMs,
  sessionFilePath,
  StartError,
} from "./checks.ts";
import { writeAtomically } from "./files.ts";
import { seedWorkspaces, type Seeds } from "./seeds.ts";
import { type Service, startService } from "./service.ts";
import { type StackVariant, synthesizeStack } from "./template/synthesize.ts";
import { TemplateError } from "./template/resolve.ts";

/** The maximum time of a stop, after which running work is abandoned. */
const STOP_MS = 4500;

const formatCurlCommand = (baseUrl: string, apiKey: string): string =>
  [
    `curl -sS ${baseUrl}/v1/events -H 'X-Api-Key: ${apiKey}' -H 'Content-Type: application/json'`,
    `-d '{"event":"order.failed","title":"Order 1042 failed","body":"Payment was declined twice."}'`,
  ].join(" \\\n  ");

/** Returns the path relative to the working directory, if the path is inside that directory. */
const shortenPath = (path: string): string => (relative("", path).startsWith("..") ? path : relative("", path));
const printLine = (line: string): void => console.log(line);

/** Reads the template from the file; without a file, synthesizes it. The template's metadata has the functions' paths. */
const loadTemplate = async (file: string | undefined, variant: StackVariant): Promise<unknown> => {
  if (file === undefined || file === "") return synthesizeStack(variant);
  const template: unknown = JSON.parse(readFileSync(file, "utf8"));
  return template;
};

/** Returns the seeded workspaces and people with an access token for each person. */
const addTokens = async ({ model, keys }: Service, { workspaces, outsider }: Seeds) => {
  const jwt = model.api.routes.find(({ authorizer }) => authorizer !== undefined)?.authorizer;
  const [clientId] = jwt?.audience ?? [];
  if (jwt === undefined || clientId === undefined) throw new StartError("No route of the stack requires a session.");
  const withToken = async ({ sub, ...person }: Seeds["outsider"]) => ({
    ...person,
    token: await keys.mintAccessToken({ sub }, { issuer: jwt.issuer, clientId }),
  });
  return {
    outsider: await withToken(outsider),
    workspaces: await Promise.all(
      workspaces.map(async ({ members, ...workspace }) => ({
        ...workspace,
        members: await Promise.all(members.map(withToken)),
      })),
    ),
  };
};

/** Lists the people of the sign-in page by company. People of the demo workspace come first. */
const listSessionPeople = ({ workspaces, outsider }: Seeds) => [
  ...workspaces
    .toSorted((one, other) => Number(other.name === "Demo") - Number(one.name === "Demo"))
    .map(({ name, members }) => ({ company: name, people: members })),
  { company: "Nobody's workspace", people: [outsider] },
];

/** Creates the data of the first start, writes session.json and local.env, and returns what the start message shows. */
const seedAndReport = async (service: Service, dir: string, demoDays: number) => {
  const { model, dynamoDb, baseUrl, inboxUrl, webPush, hooks, mail, phone, slack } = service;
  const seeds = await seedWorkspaces(dir, { name: model.table.name, endpoint: dynamoDb.url }, demoDays, printLine);
  const sessions = await addTokens(service, seeds);
  const demo = sessions.workspaces.find(({ name }) => name === "Demo");
  const curl = formatCurlCommand(baseUrl, demo?.apiKey ?? "");
  const control = await service.startControl(() => ({ baseUrl, inboxUrl, curl }));
  const consoleUrl = `${baseUrl}/`;
  service.setPeople(listSessionPeople(seeds));
  const session = {
    baseUrl,
    console: consoleUrl,
    signIn: service.signInUrl,
    ...sessions,
    fcm: { inboxUrl },
    webPush,
    hooks,
    mail,
    phone,
    slack,
    ...(service.sso === undefined ? {} : { sso: service.sso }),
    machines: model.machines.map(({ name, id }) => ({
      name,
      clientId: id,
      clientSecret: service.keys.clientSecretOf(id),
      tokenUrl: `${service.signInUrl}/oauth2/token`,
    })),
    meters: { url: `${control.url}/meters`, controlUrl: control.url },
    table: { endpoint: dynamoDb.url, name: model.table.name, accessKeyId: OPERATOR },
    processes: { runtime: process.pid, dynamodb: dynamoDb.pid },
  };
  const variables = {
    BASE_URL: baseUrl,
    WORKSPACE_ID: demo?.id ?? "",
    API_KEY: demo?.apiKey ?? "",
    SESSION_TOKEN: demo?.members[0]?.token ?? "",
  };
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'\n`);
  writeAtomically(join(dir, "local.env"), lines.join(""), { secret: true });
  writeAtomically(sessionFilePath(dir), `${JSON.stringify(session, null, 2)}\n`, { secret: true });
  return { curl, consoleUrl };
};

type StartedService = { curl: string; consoleUrl: string; seconds: number };

const formatStartMessage = (dir: string, { curl, consoleUrl, seconds }: StartedService): string => `
Ready after ${seconds.toFixed(1)} s. The console, with a button to sign in as each person of the demo:

  ${consoleUrl}

Send an event to the demo workspace:

  ${curl.replaceAll("\n", "\n  ")}

Workbench:  ${consoleUrl}workbench   (logs, meters, queues, faults, what the phones got)
Session:    source ${shortenPath(join(dir, "local.env"))}   (BASE_URL, WORKSPACE_ID, API_KEY, SESSION_TOKEN)
Stop:       Ctrl-C

What happens:
`;

const usage = `npm start    builds the functions, and runs the whole stack on this machine until Ctrl-C

Environment: PORT, LOCAL_DIR, LOCAL_DEMO_DAYS, LOCAL_PUSH, LOCAL_SSO, LOCAL_TICK_SECONDS, LOCAL_CALLS_REGION,
LOCAL_TEMPLATE (docs/local.md)`;

const main = async (): Promise<void> => {
  readArguments(usage, {});
  const startedAt = performance.now();
  const port = parsePort(process.env["PORT"]);
  const tickMs = parseTickMs(process.env["LOCAL_TICK_SECONDS"]);
  const nothingLeaves = parseLocalPush(process.env["LOCAL_PUSH"]);
  const demoDays = readDemoDays(process.env["LOCAL_DEMO_DAYS"]);
  const singleSignOn = parseSingleSignOn(process.env["LOCAL_SSO"]);
  const callsRegion = parseCallsRegion(process.env["LOCAL_CALLS_REGION"]);
  const dir = resolve(process.env["LOCAL_DIR"] ?? ".local");
  const lost = Promise.withResolvers<string>();

  printLine("Building the functions and synthesizing the stack ...");
  const service = await startService({
    dir,
    port,
    tickMs,
    nothingLeaves,
    template: () => loadTemplate(process.env["LOCAL_TEMPLATE"], { singleSignOn, callsRegion }),
    print: printLine,
    onLost: lost.resolve,
  });
  const stopService = async (code: number): Promise<void> => {
    setTimeout(() => process.exit(code), STOP_MS).unref();
    await service.close();
    process.exit(code);
  };
  // Before the handlers below exist, a signal ends the process and its children as usual.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stopService(0));
  void lost.promise.then((reason) => {
    process.stderr.write(`The service stops: ${reason}.\n`);
    return stopService(1);
  });
  printLine("The API and the stand-ins for AWS are running.");
  const opened = await seedAndReport(service, dir, demoDays);
  printLine(formatStartMessage(dir, { ...opened, seconds: (performance.now() - startedAt) / 1000 }));
};

main().catch((error: unknown) => {
  const known = error instanceof StartError || error instanceof TemplateError;
  process.stderr.write(known ? `${error.message}\n` : `${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
