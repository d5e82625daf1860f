import type { Message } from "../../../local/sqs/message.ts";
import type { Sqs } from "../../../local/sqs/sqs.ts";
import type { createSlackStandIn } from "../../support/slack.ts";
import type { QueueName, TestQueues } from "../../world/queues.ts";
import type { Dynamo } from "./dynamo.ts";
import type { Fcm } from "./fcm.ts";
import type { Invocation, Kernel } from "./kernel.ts";
import type { Mode, Plan } from "./modes.ts";
import type { Receivers } from "./receivers.ts";

export type CallRecord = {
  call: number;
  at: number;
  caller: string;
  request: string;
  attempt: number;
  mode: Mode | undefined;
  outcome: string;
};

/** Records a call; returns the record, so that its outcome can be set. */
export type RecordCall = (
  record: Pick<CallRecord, "call" | "request" | "attempt" | "mode">,
  by: Invocation,
) => CallRecord;

/**
 * The services that are down now. `mute`: no push, email, text message or call gets an answer, although it is accepted;
 * `contacts`: the same, but not for pushes.
 */
export type Outage = {
  dynamodb: boolean;
  sqs: boolean;
  fcm: boolean;
  silent: boolean;
  contactsSilent: boolean;
  secrets: "fail" | "silent" | undefined;
};

export type CallsContext = {
  kernel: Kernel;
  random: () => number;
  dynamo: Dynamo;
  sqs: Sqs;
  queues: TestQueues;
  sent: { queue: QueueName; message: Message }[];
  fcm: Fcm;
  receivers: Receivers;
  slack: ReturnType<typeof createSlackStandIn>;
  plan: Plan;
  /** Whether the run is recorded call by call. */
  isRecorded: boolean;
  outage: Outage;
  killInvocation: (invocation: Invocation) => void;
  /** Is called with the time until which a fault has effects. */
  extendDisturbance: (until: number) => void;
  markSeen: (what: string) => void;
};
