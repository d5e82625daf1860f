import type { Priority } from "../../basics/priority.ts";
import { HOUR_MS } from "../../basics/units.ts";

export type Urgency = {
  ttlMs: number;
  android: "normal" | "high";
  /** The priority in Android before version 8; later versions use the notification channel. */
  androidNotification: "low" | "default" | "high" | "max";
  /** The app creates the channels, so that users can choose a sound for each. */
  androidChannel: string;
  apns: "5" | "10";
  interruption: "passive" | "active" | "time-sensitive" | "critical";
  sound?: string | { critical: boolean; name: string; volume: number };
  web: "low" | "normal" | "high";
};

export const urgencies: Record<Priority, Urgency> = {
  LOW: {
    ttlMs: 24 * HOUR_MS,
    android: "normal",
    androidNotification: "low",
    androidChannel: "events_low",
    apns: "5",
    interruption: "passive",
    web: "low",
  },
  NORMAL: {
    ttlMs: 24 * HOUR_MS,
    android: "high",
    androidNotification: "default",
    androidChannel: "events_normal",
    apns: "10",
    interruption: "active",
    sound: "default",
    web: "normal",
  },
  HIGH: {
    ttlMs: 4 * HOUR_MS,
    android: "high",
    androidNotification: "high",
    androidChannel: "events_high",
    apns: "10",
    interruption: "time-sensitive",
    sound: "default",
    web: "high",
  },
  URGENT: {
    ttlMs: HOUR_MS,
    android: "high",
    androidNotification: "max",
    androidChannel: "events_urgent",
    apns: "10",
    interruption: "critical",
    sound: { critical: true, name: "default", volume: 1 },
    web: "high",
  },
};

export const getPushTtlMs = (priority: Priority): number => urgencies[priority].ttlMs;
