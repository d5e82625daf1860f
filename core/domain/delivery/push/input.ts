import type { WorkspaceId } from "../../basics/ids.ts";
import type { Language } from "../../basics/language.ts";
import type { Priority } from "../../basics/priority.ts";
import type { PushAddress } from "../../device/device.ts";
import type { Quiet } from "../../people/recipient.ts";
import { joinLines } from "../../basics/text.ts";
import { fitText } from "./fit-text.ts";

/** The maximum size of the site's name before the title; a longer name would push the title off the lock screen. */
const PUSH_SITE_NAME_MAX_BYTES = 120;

export type PushPlatform = "ios" | "android" | "web" | "email" | "phone";

export type PushInput = {
  workspaceId: WorkspaceId;
  /** Undefined for a test of the device, which is not about an event. */
  eventId: string | undefined;
  notificationId: string;
  title: string;
  body: string;
  /** The event's `data.site_name`. */
  siteName?: string | undefined;
  url?: string | undefined;
  priority: Priority;
  requiresAck: boolean;
  /** The reader's language, for a test; the service's own texts in event notifications are English. */
  language?: Language | undefined;
  /** The event's state, on a push that replaces an earlier push of the same notification. */
  state?: "resolved" | "acknowledged" | "grouped";
  to: PushAddress;
  platform: PushPlatform;
  /** Whether the push is of a later step, which pages the device again. */
  again?: boolean | undefined;
  /** Whether this is a reachability check, which is sent with a page's urgency and shown silently. */
  proves?: true | undefined;
  /** Why the push is silent. Above the page limit, the silent pushes of a workspace replace each other on the device. */
  quiet?: Quiet | undefined;
  /** The time of sending: APNs takes the time of expiry, not a duration. */
  nowMs: number;
  /** The console's URL; a notification in a browser opens the event there. */
  consoleUrl: string;
  /** The token with which the device can confirm and acknowledge without a session. */
  receipt?: string | undefined;
  /** A name shared by all tries, for services that recognize a repeated request. */
  once?: string | undefined;
};

/** Returns the event data that every push has; a message to a contact does not send it. */
export const pickEventFields = ({
  workspaceId,
  eventId,
  notificationId,
  again,
}: Pick<PushInput, "workspaceId" | "eventId" | "notificationId" | "again">): Record<string, string> => ({
  workspaceId,
  ...(eventId === undefined ? {} : { eventId }),
  notificationId,
  ...(again === true ? { again: "true" } : {}),
});

/** Returns the title on one line, after the site's name. */
export const pushTitle = ({ title, siteName }: Pick<PushInput, "title" | "siteName">): string => {
  const site = siteName?.toWellFormed().replaceAll(/\s+/gu, " ").trim() ?? "";
  const text = joinLines(title.toWellFormed());
  return site === "" ? text : `${fitText(site, PUSH_SITE_NAME_MAX_BYTES)}: ${text}`;
};

const because: Readonly<Record<Quiet, string>> = {
  too_many: "because you got many alerts",
  acknowledged: "because you have acknowledged this group of alerts",
};

/** Returns the body, with the reason if the push is silent. */
export const pushBody = ({ quiet, state, body }: Pick<PushInput, "quiet" | "state" | "body">): string =>
  quiet !== undefined && state === undefined ? `Silent, ${because[quiet]}: ${body}` : body;
