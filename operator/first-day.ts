import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { SNSClient } from "@aws-sdk/client-sns";
import * as v from "valibot";
import { createOperatorAuthor } from "../core/domain/workspace/audit.ts";
import { Platform } from "../core/domain/device/device.ts";
import { createBackupCalls, createTopicCalls } from "./first-day/aws.ts";
import { type FirstDay, runFirstDay } from "./first-day/run.ts";
import type { Clients } from "./clients.ts";
import { connectToLocalService } from "./local.ts";
import { type Command, isYes, requireOption, type Options, openStage } from "./options.ts";
import { OperatorError } from "./stage.ts";

const TIMEOUT_MS = 15_000;

const postJson: FirstDay["post"] = async (url, headers, body) => {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: answer.status, body: await answer.text() };
};

/** Asks a yes-or-no question. Without a terminal, returns false, because nobody can answer. */
const askForConfirmation = async (question: string): Promise<boolean> => {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} (yes or no) `);
  terminal.close();
  return answer.trim() === "yes";
};

type FirstDayTarget = Pick<FirstDay, "table" | "baseUrl" | "topics" | "backups">;

const openLocalTarget = (dir: string): FirstDayTarget => {
  const { session, table } = connectToLocalService(dir, "first-day");
  return { table, baseUrl: session.baseUrl, topics: undefined, backups: undefined };
};

const openStageTarget = async (clients: Clients, options: Options): Promise<FirstDayTarget> => {
  const stage = await openStage(clients, options);
  return {
    table: { name: stage("TableName"), client: clients.dynamo, author: createOperatorAuthor("first-day") },
    baseUrl: stage("BaseUrl"),
    topics: createTopicCalls(new SNSClient({}), requireOption(options, "stage")),
    backups: createBackupCalls(clients),
  };
};

const readDevice = (options: Options): FirstDay["device"] => {
  const { "device-token": token, platform = "android" } = options;
  const parsed = v.safeParse(Platform, platform);
  if (!parsed.success) throw new OperatorError("--platform must be ios, android or web.");
  return token === undefined ? undefined : { token, platform: parsed.output };
};

export const firstDay: Command = {
  does: "Checks a stage with an event, its push, an escalation, an SNS topic and a restored table, and prints each result.",
  needs: {},
  takes: {
    "device-token":
      "the FCM registration token of your device; without this option, only checks that FCM refuses an invalid token",
    platform: "ios, android or web; android by default",
    "delete-restored": "yes: deletes the restored table at the end without asking",
    local: "the directory of a running local service, to check that service instead",
  },
  run: async (clients, options) => {
    const device = readDevice(options);
    const isSure = isYes(options, "delete-restored");
    const target =
      options["local"] === undefined ? await openStageTarget(clients, options) : openLocalTarget(options["local"]);
    const walked = await runFirstDay({
      ...target,
      device,
      post: postJson,
      sleep: (ms) => sleep(ms),
      now: clients.now,
      newId: clients.newId,
      say: (line) => process.stderr.write(`${line}\n`),
      ask: (question) => (isSure ? Promise.resolve(true) : askForConfirmation(question)),
    });
    const failed = walked.steps.filter(({ result }) => result === "failed");
    if (failed.length > 0)
      throw new OperatorError(
        `${failed.length} of ${walked.steps.length} steps failed: ${failed.map(({ step }) => step).join(", ")}.`,
      );
    return walked;
  },
};
