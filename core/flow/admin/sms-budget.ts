import type { Deps } from "../../deps.ts";
import type { PushOutcome } from "../../domain/delivery/push/outcome.ts";
import { BUDGET_USED_UP } from "../../domain/delivery/push/sms.ts";
import { countSms, settleSms, type CountedSms } from "../../store/sms-counts.ts";

export type BudgetDeps = Pick<Deps, "table" | "now" | "newId" | "log" | "smsMonthly">;

/** Whether a message was paid for, or may have been. */
const isSpent = ({ kind }: PushOutcome): boolean => kind === "accepted" || kind === "unknown";

/**
 * A workspace's text messages for as long as some are sent: they are counted before, and what was certainly not sent is
 * taken back at the end. Where the stage sends none, nothing is counted.
 */
export const openBudget = (deps: BudgetDeps, ws: string) => {
  const { smsMonthly } = deps;
  const counts: CountedSms[] = [];
  let left = 0;
  return {
    /** Sees to it that so many can be sent, or as many as are left of the month's. */
    reserve: async (wanted: number): Promise<void> => {
      if (smsMonthly === undefined || wanted <= left) return;
      const counted = await countSms(deps, ws, smsMonthly, wanted - left);
      if (counted.count > 0) counts.push(counted);
      left += counted.count;
    },
    /** Sends one of the reserved messages. */
    spend: async (send: () => Promise<PushOutcome>): Promise<PushOutcome> => {
      if (smsMonthly === undefined) return send();
      if (left === 0) return { kind: "invalid", code: BUDGET_USED_UP };
      left -= 1;
      const outcome = await send();
      if (!isSpent(outcome)) left += 1;
      return outcome;
    },
    /** Never rejects: what cannot be taken back stays counted. */
    close: async (): Promise<void> => {
      for (const counted of counts) {
        const unsent = Math.min(left, counted.count);
        left -= unsent;
        await settleSms(deps, ws, counted, unsent).catch((error: unknown) =>
          deps.log.error("sms.not_settled", error, { workspaceId: ws, count: unsent }),
        );
      }
    },
  };
};
export type Budget = ReturnType<typeof openBudget>;

/** Sends one text message within the workspace's budget. Rejects if it cannot be counted; then nothing is sent. */
export const withinBudget = async (
  deps: BudgetDeps,
  ws: string,
  send: () => Promise<PushOutcome>,
): Promise<PushOutcome> => {
  const budget = openBudget(deps, ws);
  await budget.reserve(1);
  const outcome = await budget.spend(send);
  await budget.close();
  return outcome;
};
