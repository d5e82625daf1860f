import type { WorkspaceId } from "../../basics/ids.ts";
import type { Language } from "../../basics/language.ts";
import type { Priority } from "../../basics/priority.ts";
import type { PushAddress } from "../../device/device.ts";
import type { Quiet } from "../../people/recipient.ts";
import { joinLines } from "../../basics/text.ts";
import { fitText } from "./fit-text.ts";

/** A longer site name would push the title off the lock screen. */
const PUSH_SITE_NAME_MAX_BYTES = 120;

export type PushPlatform = "ios" | "android" | "web" | "email" | "phone";

export type PushInput = {
  workspaceId: WorkspaceId;
  /** Undefined for a test of the device. */
  eventId: string | undefined;
  notificationId: string;
  title: string;
  body: string;
  siteName?: string | undefined;
  url?: string | undefined;
  priority: Priority;
  requiresAck: boolean;
  /** The language of a test. Event notifications contain only English texts of the service. */
  language?: Language | undefined;
  /** Set on a push that replaces an earlier push of the same notification. */
  state?: "resolved" | "acknowledged" | "grouped";
  to: PushAddress;
  platform: PushPlatform;
  /** Whether the push is of a later step, which pages the device again. */
  again?: boolean | undefined;
  /** A reachability check has a page's urgency and is shown silently. */
  proves?: true | undefined;
  /** Above the page limit, the silent pushes of a workspace replace each other on the device. */
  quiet?: Quiet | undefined;
  /** APNs takes the time of expiry, not a duration. */
  nowMs: number;
  /** A browser's notification opens the event in the console. */
  consoleUrl: string;
  /** The device can confirm and acknowledge with this token, without a session. */
  receipt?: string | undefined;
  /** All tries share this name, for services that recognize a repeated request. */
  once?: string | undefined;
};

/** Every push has this data; a message to a contact does not send it. */
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

export const pushTitle = ({ title, siteName }: Pick<PushInput, "title" | "siteName">): string => {
  const site = siteName?.toWellFormed().replaceAll(/\s+/gu, " ").trim() ?? "";
  const text = joinLines(title.toWellFormed());
  return site === "" ? text : `${fitText(site, PUSH_SITE_NAME_MAX_BYTES)}: ${text}`;
};

const because: Readonly<Record<Quiet, string>> = {
  too_many: "because you got many alerts",
  acknowledged: "because you have acknowledged this group of alerts",
};

export const pushBody = ({ quiet, state, body }: Pick<PushInput, "quiet" | "state" | "body">): string =>
  quiet !== undefined && state === undefined ? `Silent, ${because[quiet]}: ${body}` : body;
