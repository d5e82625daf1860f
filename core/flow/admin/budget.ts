import type { Deps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { PaidChannel } from "../../domain/device/device.ts";
import type { PushOutcome } from "../../domain/delivery/push/outcome.ts";
import { BUDGET_USED_UP } from "../../domain/delivery/push/sms.ts";
import { countPaidMessages, finishPaidCount, type CountedPaid } from "../../store/delivery/paid-counts.ts";

export type BudgetDeps = Pick<Deps, "table" | "now" | "newId" | "log" | "monthly">;

const mayHaveBeenPaid = ({ kind }: PushOutcome): boolean => kind === "accepted" || kind === "unknown";

/** Returns functions that keep one channel's messages within the monthly budget, or send everything if there is no budget. */
const openChannelBudget = (deps: BudgetDeps, ws: WorkspaceId, channel: PaidChannel) => {
  const monthly = deps.monthly?.[channel];
  const counts: CountedPaid[] = [];
  let left = 0;
  return {
    reserve: async (wanted: number): Promise<void> => {
      if (monthly === undefined || wanted <= left) return;
      const counted = await countPaidMessages(deps, ws, channel, monthly, wanted - left);
      if (counted.count > 0) counts.push(counted);
      left += counted.count;
    },
    spend: async (send: () => Promise<PushOutcome>): Promise<PushOutcome> => {
      if (monthly === undefined) return send();
      if (left === 0) return { kind: "invalid", code: BUDGET_USED_UP };
      left -= 1;
      const outcome = await send();
      if (!mayHaveBeenPaid(outcome)) left += 1;
      return outcome;
    },
    close: async (): Promise<void> => {
      for (const counted of counts) {
        const unsent = Math.min(left, counted.count);
        left -= unsent;
        await finishPaidCount(deps, ws, counted, unsent).catch((error: unknown) =>
          deps.log.error("budget.not_settled", error, { workspaceId: ws, way: channel, count: unsent }),
        );
      }
    },
  };
};

/** Returns functions that keep text messages and calls within a budget: `reserve` counts messages, `spend` sends a message. */
export const openBudget = (deps: BudgetDeps, ws: WorkspaceId) => {
  const channels = { sms: openChannelBudget(deps, ws, "sms"), voice: openChannelBudget(deps, ws, "voice") };
  return {
    reserve: (channel: PaidChannel, wanted: number): Promise<void> => channels[channel].reserve(wanted),
    spend: (channel: PaidChannel, send: () => Promise<PushOutcome>): Promise<PushOutcome> =>
      channels[channel].spend(send),
    /** Refunds unused reservations. Never rejects: a reservation that cannot be refunded stays counted. */
    close: async (): Promise<void> => {
      await channels.sms.close();
      await channels.voice.close();
    },
  };
};
export type Budget = ReturnType<typeof openBudget>;

/** Returns the channel of a text message or a call; undefined for a message that costs nothing. */
export const findPaidChannel = (message: object): PaidChannel | undefined => {
  if ("call" in message) return "voice";
  return "phone" in message ? "sms" : undefined;
};

/** Sends a message, within the workspace's budget if it costs money. Rejects without sending if the budget cannot be written. */
export const sendWithinBudget = async (
  deps: BudgetDeps,
  ws: WorkspaceId,
  message: object,
  send: () => Promise<PushOutcome>,
): Promise<PushOutcome> => {
  const way = findPaidChannel(message);
  if (way === undefined) return send();
  const budget = openBudget(deps, ws);
  await budget.reserve(way, 1);
  const outcome = await budget.spend(way, send);
  await budget.close();
  return outcome;
};
