import { relative, resolve } from "node:path";
import {
  commonTokens,
  declareFactoryPlugin,
  PluginKind,
  tokens,
  type Injector,
  type PluginContext,
} from "@stryker-mutator/api/plugin";
import {
  determineHitLimitReached,
  MutantRunStatus,
  type MutantRunResult,
  type TestRunner,
} from "@stryker-mutator/api/test-runner";
import { strykerPlugins as ofVitest } from "@stryker-mutator/vitest-runner";
import type { Vitest } from "vitest/node";
import { waitForMessage, NO_TEST, openChannel, sendMessage, type Request, type Verdict } from "./messages.ts";

/*
 * Stryker's runner for Vitest starts a thread for each mutant and loads the code in it, which takes a hundred times as long
 * as most tests. This runner loads the code once, and the thread runs its tests again with each mutant.
 */

const toShortId = (id: string): string => {
  const [file = "", ...names] = id.split("#");
  return [relative(process.cwd(), file), ...names].join("#");
};
const toLongId = (id: string): string => {
  const [file = "", ...names] = id.split("#");
  return [resolve(file), ...names].join("#");
};

const toResult = ({ killedBy, tests, hits }: Verdict, hitLimit: number | undefined): MutantRunResult => {
  const tooOften = determineHitLimitReached(hits, hitLimit);
  if (tooOften !== undefined) return { status: MutantRunStatus.Timeout, reason: tooOften.reason ?? "" };
  if (killedBy === undefined) return { status: MutantRunStatus.Survived, nrOfTests: tests };
  const { test, message } = killedBy;
  return { status: MutantRunStatus.Killed, killedBy: [toShortId(test)], failureMessage: message, nrOfTests: tests };
};

const createRunner = (injector: Injector<PluginContext>): TestRunner => {
  /** The type of Stryker's runner hides `ctx`, which is Vitest's public interface. */
  const vitest = injector.injectFunction(ofVitest[0]!.factory) as unknown as Required<TestRunner> & { ctx: Vitest };
  const channel = openChannel();
  let session: Promise<unknown> | undefined;

  const beginSession = async (): Promise<void> => {
    const { ctx } = vitest;
    ctx.state.filesMap.clear();
    ctx.provide("mode", "mutant");
    ctx.provide("files", (await ctx.globTestSpecifications()).length);
    const isReady = waitForMessage(channel);
    session = ctx.start();
    await isReady;
  };
  const endSession = async (): Promise<void> => {
    if (session === undefined) return;
    sendMessage(channel, "end");
    await session;
    session = undefined;
  };

  const judgeMutant = async (request: Exclude<Request, "end">): Promise<Verdict> => {
    const verdict = waitForMessage<Verdict>(channel);
    sendMessage(channel, request);
    return verdict;
  };

  return {
    capabilities: () => ({ reloadEnvironment: false }),
    // Starts the process before the first mutant, because the time limit for one mutant is short.
    init: async () => {
      await vitest.init();
      await beginSession();
    },
    dryRun: async (options) => {
      await endSession();
      vitest.ctx.provide("mode", "dry-run");
      const result = await vitest.dryRun(options);
      await beginSession();
      return result;
    },
    mutantRun: async ({ activeMutant, testFilter = [], hitLimit }) => {
      const request = { mutant: activeMutant.id, tests: testFilter.map(toLongId), hitLimit };
      const first = await judgeMutant(request);
      if (first.unknown !== undefined)
        return { status: MutantRunStatus.Error, errorMessage: `${NO_TEST} ${first.unknown}` };
      if (first.killedBy === undefined || !first.isSpoilt) return toResult(first, hitLimit);
      // An earlier mutant may have left behind something that fails the test, so this mutant is tested in a new process.
      await endSession();
      await beginSession();
      const { test } = first.killedBy;
      const without = await judgeMutant({ mutant: "", tests: [test], hitLimit });
      if (without.killedBy !== undefined)
        return {
          status: MutantRunStatus.Error,
          errorMessage: `${test} fails when it runs twice: ${without.killedBy.message}`,
        };
      const second = await judgeMutant(request);
      if (second.isSpoilt) {
        await endSession();
        await beginSession();
      }
      return toResult(second, hitLimit);
    },
    dispose: async () => {
      await endSession();
      channel.close();
      await vitest.dispose();
    },
  };
};
createRunner.inject = tokens(commonTokens.injector);

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, "repeating", createRunner)];
