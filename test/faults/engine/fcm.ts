import { addressOf, addressText } from "../../../core/domain/people/device.ts";
import type { PushMessage } from "../../../core/domain/delivery/push/message.ts";
import type { PushOutcome } from "../../../core/domain/delivery/push/outcome.ts";
import type { Invocation } from "./kernel.ts";

/** One call of FCM by the sender, and what became of it. */
export type PushCall = {
  call: number;
  at: number;
  workspaceId: string;
  eventId: string;
  notificationId: string;
  token: string;
  invocation: Invocation;
  /** When FCM took it, if it did. */
  takenAt: number | undefined;
  answer: PushOutcome["kind"] | undefined;
  /** Whether the sender stored what it was answered. */
  stored: boolean;
};

/** What names the device in a message or a device: its token, or the end of its endpoint. */
export const tokenOf = (addressed: Parameters<typeof addressOf>[0]): string =>
  addressText(addressOf(addressed)).replace(/^.*\//, "");

/** FCM, and the book that it keeps: what it took, for whom, how often. */
export const createFcm = () => {
  const calls: PushCall[] = [];
  const dead = new Set<string>();

  /** What FCM answers to a message when nothing disturbs it. */
  const take = (call: PushCall, at: number): PushOutcome => {
    if (dead.has(call.token) || call.token.startsWith("stale-")) return { kind: "unregistered" };
    if (call.token.startsWith("invalid-")) return { kind: "invalid", code: "INVALID_ARGUMENT" };
    call.takenAt = at;
    return { kind: "accepted", messageId: `projects/test/messages/${call.call}` };
  };

  return {
    calls,
    dead,
    take,
    begin: (call: number, at: number, message: PushMessage, invocation: Invocation): PushCall => {
      const entry: PushCall = {
        call,
        at,
        workspaceId: message.data["workspaceId"] ?? "",
        eventId: message.data["eventId"] ?? "",
        notificationId: message.data["notificationId"] ?? "",
        token: tokenOf(message),
        invocation,
        takenAt: undefined,
        answer: undefined,
        stored: false,
      };
      calls.push(entry);
      return entry;
    },
  };
};
export type Fcm = ReturnType<typeof createFcm>;
