import { once } from "node:events";
import { BroadcastChannel } from "node:worker_threads";

/* The messages between the process that Stryker starts and the thread that runs the tests. */

/** A mutant to activate (none: an empty name), and the ids of the tests that reach it; or the end. */
export type Request = { mutant: string; tests: string[]; hitLimit: number | undefined } | "end";

export type Verdict = {
  /** The first test that failed, if any. */
  killedBy?: { test: string; message: string };
  /** The id of a test that is missing, because its title changes each time: nothing was tested. */
  unknown?: string;
  tests: number;
  /** How often the tests reached the mutant. */
  hits: number;
  /** Whether the test also fails without the mutant, because the mutant has left something behind. */
  isSpoilt: boolean;
};

/** The beginning of the report of a missing test. */
export const NO_TEST = "There is no test";

export const openChannel = (): BroadcastChannel => new BroadcastChannel("mutants");

export const waitForMessage = async <Message>(channel: BroadcastChannel): Promise<Message> => {
  const [{ data }] = (await once(channel, "message")) as [{ data: Message }];
  return data;
};

export const sendMessage = (channel: BroadcastChannel, message: Request | Verdict | "ready"): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have an origin
  channel.postMessage(message);
