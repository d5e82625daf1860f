import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import * as v from "valibot";
import { Fault } from "./aws/front.ts";
import type { MeterReading, Usage } from "./aws/meters.ts";
import type { PolicyGrant } from "./aws/policies.ts";
import { readText } from "./body.ts";
import type { Feed } from "./feed.ts";
import { type Listener, listenLocally } from "./listen.ts";
import { replyJson, replyUnknown } from "./reply.ts";
import type { Depth } from "./sqs/queue.ts";
import { renderWorkbenchPage } from "./workbench.ts";

const Wanted = v.optional(Fault, "up");
/** Failures that the stand-ins simulate until other failures are set. */
export const Faults = v.strictObject({
  sqs: Wanted,
  dynamodb: Wanted,
  fcm: Wanted,
  webPush: Wanted,
  mail: Wanted,
  phone: Wanted,
  secrets: Wanted,
  sso: Wanted,
});
export type Faults = v.InferOutput<typeof Faults>;

const Advance = v.strictObject({ advanceSeconds: v.pipe(v.number(), v.minValue(0)) });

export type Controls = {
  feed: Feed;
  readMeters: () => Promise<{ functions: MeterReading; total: Usage }>;
  resetMeters: () => void;
  readGrants: () => Promise<{ unused: PolicyGrant[] }>;
  readFaults: () => Faults;
  setFaults: (faults: Faults) => void;
  readQueues: () => Record<string, Depth>;
  tick: () => Promise<void>;
  advanceClock: (ms: number) => Promise<number>;
  describe: () => { baseUrl: string; inboxUrl: string; curl: string };
};

/** Streams the feed's recent entries and each new entry, until the caller disconnects. */
const streamEntries = (feed: Feed, response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  const sendEntry = (entry: unknown) => response.write(`data: ${JSON.stringify(entry)}\n\n`);
  for (const entry of feed.recent()) sendEntry(entry);
  response.on("close", feed.listen(sendEntry));
};

type Route = (response: ServerResponse, body: string) => Promise<void> | void;

/** Returns the handlers of requests by method and path. */
const createRoutes = (controls: Controls): Record<string, Route> => ({
  "GET /": (response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(renderWorkbenchPage(controls.describe()));
  },
  "GET /feed": (response) => streamEntries(controls.feed, response),
  "GET /health": (response) => replyJson(response, 200, { pid: process.pid }),
  "GET /meters": async (response) => replyJson(response, 200, await controls.readMeters()),
  "DELETE /meters": async (response) => {
    controls.resetMeters();
    replyJson(response, 200, await controls.readMeters());
  },
  "GET /grants": async (response) => replyJson(response, 200, await controls.readGrants()),
  "GET /queues": (response) => replyJson(response, 200, controls.readQueues()),
  "GET /faults": (response) => replyJson(response, 200, controls.readFaults()),
  "PUT /faults": (response, body) => {
    const faults = v.safeParse(v.pipe(v.string(), v.parseJson(), Faults), body);
    if (!faults.success) return replyJson(response, 400, { error: v.summarize(faults.issues) });
    controls.setFaults(faults.output);
    return replyJson(response, 200, controls.readFaults());
  },
  "POST /clock": async (response, body) => {
    const asked = v.safeParse(v.pipe(v.string(), v.parseJson(), Advance), body);
    if (!asked.success) replyJson(response, 400, { error: v.summarize(asked.issues) });
    else
      replyJson(response, 200, {
        aheadSeconds: (await controls.advanceClock(asked.output.advanceSeconds * 1000)) / 1000,
      });
  },
  "POST /tick": async (response) => {
    await controls.tick();
    replyJson(response, 200, {});
  },
});

/** Serves meters, grants, faults, queues, the clock and the workbench (a page of messages and logs) on a free port. */
export const startControl = async (controls: Controls): Promise<Listener> => {
  const routes = createRoutes(controls);

  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readText(request);
    const run = routes[`${request.method ?? ""} ${request.url ?? ""}`];
    if (run === undefined) replyUnknown(response, routes);
    else await run(response, body);
  };

  const server = createServer((request, response) => {
    onRequest(request, response).catch(() => response.destroy());
  });
  return listenLocally(server, 0);
};
