import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { readArguments } from "../tools/command-line.ts";
import { findFreePort } from "../tools/free-port.ts";
import { startLocalService } from "./local-service.ts";
import { writeSection } from "./performance-page.ts";
import { buildEvent, setUpRule, runAtRate, postEvent } from "./scenario.ts";

readArguments(
  "npm run bench:processor    divides the processor time of an event by whose code uses it, and writes docs/performance.md",
  {},
);

/*
 * Measures which code uses the processor time of an event. The local service's meters give each function's time. V8's profiles
 * and source maps give the shares of our code, of packages and of Node.
 */

const WARM_UP = 300;
const EVENTS = 600;
const EVENTS_A_SECOND = 20;
const SAMPLING_US = 250;

const parts = ["own code", "AWS SDK", "other packages", "Node and V8", "garbage collection"] as const;
type Part = (typeof parts)[number];
const work = [
  ["ingest", "post-event"],
  ["match", "matcher"],
  ["send, six pushes", "sender"],
] as const;

const CallFrame = v.object({
  functionName: v.string(),
  url: v.string(),
  lineNumber: v.number(),
  columnNumber: v.number(),
});
const Profile = v.object({
  nodes: v.array(v.object({ id: v.number(), callFrame: CallFrame })),
  samples: v.array(v.number()),
  timeDeltas: v.array(v.number()),
});
const Stopped = v.optional(v.object({ profile: v.optional(Profile) }), {});
type CallFrame = v.InferOutput<typeof CallFrame>;

const maps = new Map<string, SourceMap>();
/** Returns the source file of a call frame by the bundle's source map, or an empty text. */
const findSourceFile = ({ url, lineNumber, columnNumber }: CallFrame): string => {
  const bundle = url.startsWith("file:") ? fileURLToPath(url) : url;
  const map = maps.get(bundle) ?? new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, "utf8")));
  maps.set(bundle, map);
  const entry = map.findEntry(lineNumber, columnNumber);
  return "originalSource" in entry ? entry.originalSource : "";
};

const BUNDLE = /\/dist\/([\w-]+)\/\w+\.js$/;
/** Returns the part of the processor time to which a frame belongs, or undefined if the processor is idle. */
const classifyFrame = (frame: CallFrame): Part | undefined => {
  if (frame.functionName === "(idle)") return undefined;
  if (frame.functionName === "(garbage collector)") return "garbage collection";
  if (!BUNDLE.test(frame.url)) return "Node and V8";
  const source = findSourceFile(frame);
  if (/node_modules\/@(aws-sdk|smithy)\//.test(source)) return "AWS SDK";
  return source.includes("node_modules/") ? "other packages" : "own code";
};

/** Adds a profile's times in microseconds to `times`, by function and part. */
const addProfileTimes = (
  times: Map<string, Map<Part, number>>,
  { nodes, samples, timeDeltas }: v.InferOutput<typeof Profile>,
) => {
  const bundle = nodes.map(({ callFrame }) => BUNDLE.exec(callFrame.url)?.[1]).find((name) => name !== undefined);
  if (bundle === undefined) return;
  const partById = new Map(nodes.map(({ id, callFrame }) => [id, classifyFrame(callFrame)]));
  const mine = times.get(bundle) ?? new Map<Part, number>();
  times.set(bundle, mine);
  for (const [index, id] of samples.entries()) {
    const part = partById.get(id);
    if (part !== undefined) mine.set(part, (mine.get(part) ?? 0) + (timeDeltas[index] ?? 0));
  }
};

const Target = v.array(v.object({ webSocketDebuggerUrl: v.string() }));
const FromInspector = v.looseObject({
  id: v.optional(v.number()),
  method: v.optional(v.string()),
  params: v.optional(v.unknown()),
});
const Attached = v.object({ sessionId: v.string() });
const FromWorker = v.object({ sessionId: v.string(), message: v.string() });
const WorkerAnswer = v.looseObject({ id: v.optional(v.number()), result: v.optional(v.unknown()) });

/** Opens a debugging session for each worker of the process. `callAllWorkers` calls a method of every worker's inspector. */
const inspectWorkers = async (port: number) => {
  const [target] = v.parse(Target, await (await fetch(`http://127.0.0.1:${port}/json/list`)).json());
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve) => {
    socket.addEventListener("open", resolve);
  });
  const sessions = new Set<string>();
  const waiting = new Map<string, (result: unknown) => void>();
  let calls = 0;
  const sendCommand = (method: string, params: object = {}): void =>
    socket.send(JSON.stringify({ id: (calls += 1), method, params }));
  socket.addEventListener("message", ({ data }) => {
    const { method, params } = v.parse(FromInspector, JSON.parse(String(data)));
    if (method === "NodeWorker.attachedToWorker") sessions.add(v.parse(Attached, params).sessionId);
    if (method === "NodeWorker.detachedFromWorker") sessions.delete(v.parse(Attached, params).sessionId);
    if (method !== "NodeWorker.receivedMessageFromWorker") return;
    const { sessionId, message } = v.parse(FromWorker, params);
    const { id, result } = v.parse(WorkerAnswer, JSON.parse(message));
    waiting.get(`${sessionId} ${id}`)?.(result);
  });
  sendCommand("NodeWorker.enable", { waitForDebuggerOnStart: false });
  const callInspectorOfWorker = (sessionId: string, method: string, params: object = {}): Promise<unknown> => {
    const id = (calls += 1);
    const answer = new Promise((resolve) => {
      waiting.set(`${sessionId} ${id}`, resolve);
    });
    sendCommand("NodeWorker.sendMessageToWorker", { sessionId, message: JSON.stringify({ id, method, params }) });
    return answer;
  };
  return {
    callAllWorkers: (method: string, params?: object) =>
      Promise.all([...sessions].map((session) => callInspectorOfWorker(session, method, params))),
    close: () => socket.close(),
  };
};

const port = await findFreePort();
await using service = await startLocalService(`--inspect=127.0.0.1:${port}`);
/** Returns the meters of each function (`functions`), and the processor time of each part of its code (`used`). */
const measureFunctions = async () => {
  const { workspace } = service;
  await setUpRule(service, workspace, { resource: "three", people: 3, devices: 2 });
  const postEvents = async (firstNumber: number, count: number): Promise<void> => {
    await runAtRate(EVENTS_A_SECOND, count, async (n) => {
      await postEvent(service, workspace, buildEvent("three", firstNumber + n));
    });
    await sleep(2000);
  };
  await postEvents(0, WARM_UP);
  const workers = await inspectWorkers(port);
  await sleep(500);
  await workers.callAllWorkers("Profiler.enable");
  await workers.callAllWorkers("Profiler.setSamplingInterval", { interval: SAMPLING_US });
  await service.resetMeters();
  await workers.callAllWorkers("Profiler.start");
  await postEvents(WARM_UP, EVENTS);
  const stopped = await workers.callAllWorkers("Profiler.stop");
  const { functions } = await service.meters();
  workers.close();
  const used = new Map<string, Map<Part, number>>();
  // An instance that started during the measurement has no profile.
  for (const { profile } of v.parse(v.array(Stopped), stopped))
    if (profile !== undefined) addProfileTimes(used, profile);
  return { used, functions };
};
const { used, functions } = await measureFunctions();

const rows = work.map(([name, bundle]) => {
  const mine = used.get(bundle) ?? new Map<Part, number>();
  const total = mine.values().reduce((sum, time) => sum + time, 0);
  const msPerEvent = (functions[bundle]?.processorMs ?? 0) / EVENTS;
  const cells = parts.map((part) => ((msPerEvent * (mine.get(part) ?? 0)) / total).toFixed(2));
  return `| ${[name, ...cells, msPerEvent.toFixed(2)].join(" | ")} |`;
});
const lines = [
  `| Milliseconds an event | ${parts.join(" | ")} | together |`,
  `|---|${parts.map(() => "---|").join("")}---|`,
  ...rows,
];
console.log(lines.join("\n"));
writeSection("processor", [
  `The sender sends ${EVENTS} events for three people with two devices each, ${EVENTS_A_SECOND} a second, after ${WARM_UP} events to warm up. V8's profiles show which code takes the time.`,
  "",
  ...lines,
]);
