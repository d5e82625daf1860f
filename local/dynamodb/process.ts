import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import type { Fault } from "../aws/front.ts";
import { FromDynamoDb, type Report, type Start, type ToDynamoDb } from "./protocol.ts";

const childFile = fileURLToPath(new URL("child.ts", import.meta.url));

type ProcessOptions = Omit<Start, "kind"> & {
  onDenied: (functionName: string, message: string) => void;
  onLost: () => void;
};

/** Returns functions that send messages to the child process and wait for its reports. */
const createReportRequests = (child: ChildProcess) => {
  const reports = new Map<number, (report: Report) => void>();
  let nextId = 0;
  const sendToChild = (message: ToDynamoDb): void => {
    if (child.connected) child.send(message);
  };
  const requestReport = (): Promise<Report> => {
    nextId += 1;
    const { promise, resolve } = Promise.withResolvers<Report>();
    reports.set(nextId, resolve);
    sendToChild({ kind: "report", id: nextId });
    return promise;
  };
  const onReport = (answer: Report & { id: number }): void => {
    reports.get(answer.id)?.(answer);
    reports.delete(answer.id);
  };
  return { say: sendToChild, report: requestReport, onReport };
};

type ChildListeners = {
  ready: PromiseWithResolvers<string>;
  onReport: (report: Report & { id: number }) => void;
  onDenied: ProcessOptions["onDenied"];
};

const listenToChild = (child: ChildProcess, { ready, onReport, onDenied }: ChildListeners): void => {
  child.on("message", (raw) => {
    const message = v.parse(FromDynamoDb, raw);
    switch (message.kind) {
      case "ready":
        ready.resolve(message.url);
        return;
      case "failed":
        ready.reject(new Error(message.reason));
        return;
      case "denied":
        onDenied(message.functionName, message.message);
        return;
      case "report":
        onReport(message);
    }
  });
};

/** Starts the local table in its own process, and returns its URL and controls. Rejects if the stored data cannot be opened. */
export const startDynamoDb = async ({ onDenied, onLost, ...start }: ProcessOptions) => {
  const child = fork(childFile, {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  const ready = Promise.withResolvers<string>();
  const { say, report, onReport } = createReportRequests(child);
  let stopping = false;
  listenToChild(child, { ready, onReport, onDenied });
  child.on("exit", () => {
    ready.reject(new Error("the process of DynamoDB ended while it was starting"));
    if (!stopping) onLost();
  });

  const stopProcess = async (): Promise<void> => {
    stopping = true;
    say({ kind: "stop" });
    const deadline = setTimeout(() => child.kill("SIGKILL"), 2000);
    await exited;
    clearTimeout(deadline);
  };

  say({ kind: "start", ...start });
  try {
    const url = await ready.promise;
    return {
      pid: child.pid ?? 0,
      url,
      report,
      reset: (): void => say({ kind: "reset" }),
      setFault: (fault: Fault): void => say({ kind: "fault", fault }),
      stop: stopProcess,
    };
  } catch (error) {
    stopping = true;
    child.kill("SIGKILL");
    await exited;
    throw error;
  }
};
export type DynamoDb = Awaited<ReturnType<typeof startDynamoDb>>;
