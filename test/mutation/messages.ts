import { once } from "node:events";
import { BroadcastChannel } from "node:worker_threads";

/* What the process that Stryker starts and the thread that has the tests say to each other. */

/** A mistake to switch on (none: a blank name), and the ids of the tests that come to its place; or the end. */
export type Request = { mutant: string; tests: string[]; hitLimit: number | undefined } | "end";

export type Verdict = {
  /** The first test that failed, if any. */
  killedBy?: { test: string; message: string };
  /** A test that is not there, because its title is another each time: nothing was tried. */
  unknown?: string;
  /** How many tests ran. */
  tests: number;
  /** How often they came to the mistake. */
  hits: number;
  /** Whether the test fails even when the mistake is switched off again: something was left behind. */
  isSpoilt: boolean;
};

/** How the report of a test that is not there begins. */
export const NO_TEST = "There is no test";

/** Its two ends are in one process. */
export const openChannel = (): BroadcastChannel => new BroadcastChannel("mutants");

/** The next message of the other side. */
export const heard = async <Message>(channel: BroadcastChannel): Promise<Message> => {
  const [{ data }] = (await once(channel, "message")) as [{ data: Message }];
  return data;
};

export const say = (channel: BroadcastChannel, message: Request | Verdict | "ready"): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have an origin
  channel.postMessage(message);
