import { once } from "node:events";
import { BroadcastChannel } from "node:worker_threads";

/* The messages between the process that Stryker starts and the thread that runs the tests. */

/** The mutant to activate (an empty name: none) and the ids of the tests that reach it, or `end` to stop. */
export type Request = { mutant: string; tests: string[]; hitLimit: number | undefined } | "end";

export type Verdict = {
  /** The first test that failed, if any. */
  killedBy?: { test: string; message: string };
  /** The id of a requested test that does not exist, because its title is different in each run; nothing was tested. */
  unknown?: string;
  tests: number;
  /** How often the tests reached the mutant. */
  hits: number;
  /** Whether the test also fails without the mutant, because the mutant has left something behind. */
  isSpoilt: boolean;
};

/** The beginning of the message about a test that does not exist. */
export const NO_TEST = "There is no test";

export const openChannel = (): BroadcastChannel => new BroadcastChannel("mutants");

export const waitForMessage = async <Message>(channel: BroadcastChannel): Promise<Message> => {
  const [{ data }] = (await once(channel, "message")) as [{ data: Message }];
  return data;
};

export const sendMessage = (channel: BroadcastChannel, message: Request | Verdict | "ready"): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have an origin
  channel.postMessage(message);
