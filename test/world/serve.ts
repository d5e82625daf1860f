import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Method } from "../../interface/contract.ts";
import { limitWorkspaces, createWorkspace } from "../../core/store/people/workspaces.ts";
import { createApiKey } from "../../core/store/people/api-keys.ts";
import { saveMember } from "../../core/store/people/members.ts";
import type { Session } from "../../conformance/client.ts";
import type { App } from "./app.ts";
import type { Answer } from "./http.ts";

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
};

const unlimited = { monthlyEvents: 1_000_000, eventsPerMinute: 600_000, burst: 100_000, retentionDays: 400 };
const createPeople = (company: string, from: number, ...names: string[]) =>
  names.map((name, index) => ({
    userId: `usr_${String(from + index).padStart(32, "0")}`,
    name,
    email: `${name.toLowerCase()}@${company}.example`,
    token: `session.of.${name}`,
  }));

const seedWorkspaces = [
  {
    id: "ws_acme",
    name: "Acme",
    plan: unlimited,
    members: createPeople("acme", 1, "Alice", "Bob", "Carol", "Dave", "Erin"),
  },
  { id: "ws_globex", name: "Globex", plan: unlimited, members: createPeople("globex", 11, "Grace", "Heidi") },
  {
    id: "ws_tiny",
    name: "Tiny",
    plan: { monthlyEvents: 20, eventsPerMinute: 600, burst: 10, retentionDays: 400 },
    members: createPeople("tiny", 21, "Trent"),
  },
] as const;

/** A fault of the service that a check must notice: a change of requests or answers over HTTP. */
export type Fault = {
  ask?: (request: { method: string; path: string; token: string | undefined }) => { token: string | undefined };
  answer?: (request: { method: string; path: string }, answer: Answer<unknown>) => Answer<unknown>;
};

const PAUSE_MS = 20;

/** The workers run after every request. */
export const serve = async (app: App) => {
  const [outsider] = createPeople("outside", 91, "Oscar");
  const workspaces = [];
  for (const { id, name, plan, members } of seedWorkspaces) {
    const [creator, ...others] = members;
    await createWorkspace(app.deps, { id, name, plan, creator: creator! });
    for (const member of others) await saveMember(app.deps, id, member);
    // The limit is high, because each of the conformance checks creates a workspace.
    for (const { userId } of members) await limitWorkspaces(app.deps, userId, 1_000);
    const { key } = await createApiKey(app.deps, id, { name });
    workspaces.push({ id, name, plan, members, apiKey: key });
  }
  const users = new Map([...workspaces.flatMap(({ members }) => members), outsider!].map((one) => [one.token, one]));
  for (const { token, name, email } of users.values()) app.profiles.set(token, { name, email });
  let fault: Fault = {};

  const server = createServer((request, response) => {
    const handle = async () => {
      const target = request.url ?? "/";
      const [path = "/"] = target.split("?", 1);
      const { method = "GET" } = request;
      const body = await readText(request);
      // The clock advances with each request, so that clients that were too fast can continue.
      app.advance(PAUSE_MS);
      const bearer = request.headers.authorization?.replace(/^Bearer /, "");
      const token = fault.ask === undefined ? bearer : fault.ask({ method, path, token: bearer }).token;
      const headers: Record<string, string> = {};
      for (const [name, value] of Object.entries(request.headers)) if (typeof value === "string") headers[name] = value;
      const user = token === undefined ? undefined : users.get(token);
      const real = await app.ask(target, {
        // A HEAD request becomes a GET request, because the API calls itself for HEAD.
        method: (method === "HEAD" ? "GET" : method) as Method,
        headers,
        ...(user === undefined ? {} : { as: user.userId }),
        ...(body === "" ? {} : { body }),
      });
      if (method !== "GET") await app.work();
      const answer = fault.answer === undefined ? real : fault.answer({ method, path }, real);
      response.writeHead(answer.status, answer.headers);
      response.end(answer.body === undefined ? "" : JSON.stringify(answer.body));
    };
    handle().catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const session: Session = { workspaces, outsider: outsider! };
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    session,
    setFault: (next: Fault) => (fault = next),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
