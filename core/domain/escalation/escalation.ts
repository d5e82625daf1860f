import type { Recipient } from "../people/recipient.ts";

/** The escalation of one event under one of its rules. */
export type Escalation = {
  acknowledged: boolean;
  next: { cursor: number; due: number } | undefined;
  fired: Record<string, { at: number; recipients: Recipient[] }>;
};
