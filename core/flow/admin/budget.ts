import type { Deps } from "../../deps.ts";
import type { PaidChannel } from "../../domain/device/device.ts";
import type { PushOutcome } from "../../domain/delivery/push/outcome.ts";
import { BUDGET_USED_UP } from "../../domain/delivery/push/sms.ts";
import { countPaid, settlePaid, type CountedPaid } from "../../store/delivery/paid-counts.ts";

export type BudgetDeps = Pick<Deps, "table" | "now" | "newId" | "log" | "monthly">;

/** Whether a message or a call was paid for, or may have been. */
const isSpent = ({ kind }: PushOutcome): boolean => kind === "accepted" || kind === "unknown";

/** What one way may send while it is open: it is counted before, and what was certainly not sent is taken back at the end. */
const openChannel = (deps: BudgetDeps, ws: string, way: PaidChannel) => {
  const monthly = deps.monthly?.[way];
  const counts: CountedPaid[] = [];
  let left = 0;
  return {
    reserve: async (wanted: number): Promise<void> => {
      if (monthly === undefined || wanted <= left) return;
      const counted = await countPaid(deps, ws, way, monthly, wanted - left);
      if (counted.count > 0) counts.push(counted);
      left += counted.count;
    },
    spend: async (send: () => Promise<PushOutcome>): Promise<PushOutcome> => {
      if (monthly === undefined) return send();
      if (left === 0) return { kind: "invalid", code: BUDGET_USED_UP };
      left -= 1;
      const outcome = await send();
      if (!isSpent(outcome)) left += 1;
      return outcome;
    },
    close: async (): Promise<void> => {
      for (const counted of counts) {
        const unsent = Math.min(left, counted.count);
        left -= unsent;
        await settlePaid(deps, ws, counted, unsent).catch((error: unknown) =>
          deps.log.error("budget.not_settled", error, { workspaceId: ws, way, count: unsent }),
        );
      }
    },
  };
};

/** A workspace's text messages and calls for as long as some are sent. Where the stage has none, nothing is counted. */
export const openBudget = (deps: BudgetDeps, ws: string) => {
  const channels = { sms: openChannel(deps, ws, "sms"), voice: openChannel(deps, ws, "voice") };
  return {
    /** Sees to it that so many can be sent, or as many as are left of the month's. */
    reserve: (way: PaidChannel, wanted: number): Promise<void> => channels[way].reserve(wanted),
    /** Sends one of those reserved. */
    spend: (way: PaidChannel, send: () => Promise<PushOutcome>): Promise<PushOutcome> => channels[way].spend(send),
    /** Never rejects: what cannot be taken back stays counted. */
    close: async (): Promise<void> => {
      await channels.sms.close();
      await channels.voice.close();
    },
  };
};
export type Budget = ReturnType<typeof openBudget>;

/** The way of a message that is paid for one by one; undefined for any other. */
export const paidChannelOf = (message: object): PaidChannel | undefined => {
  if ("call" in message) return "voice";
  return "phone" in message ? "sms" : undefined;
};

/** Sends one message, within the workspace's budget where it is paid for. Rejects if it cannot be counted; then nothing is sent. */
export const withinBudget = async (
  deps: BudgetDeps,
  ws: string,
  message: object,
  send: () => Promise<PushOutcome>,
): Promise<PushOutcome> => {
  const way = paidChannelOf(message);
  if (way === undefined) return send();
  const budget = openBudget(deps, ws);
  await budget.reserve(way, 1);
  const outcome = await budget.spend(way, send);
  await budget.close();
  return outcome;
};
