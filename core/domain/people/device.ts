import * as v from "valibot";
import { NAME_MAX_CODE_POINTS, PUSH_TOKEN_MAX_CODE_POINTS } from "../basics/limits.ts";
import { text } from "../basics/text.ts";

const platforms = ["ios", "android", "web"] as const;
export const Platform = v.picklist(platforms, `platform must be one of ${platforms.join(", ")}.`);
export type Platform = v.InferOutput<typeof Platform>;

/** What an app registers when it starts: where FCM reaches this installation. */
export const DeviceInput = v.object({
  token: v.pipe(
    text("token", PUSH_TOKEN_MAX_CODE_POINTS),
    v.regex(/^[\x21-\x7e]*$/, "token must be a registration token of FCM: printable ASCII without spaces."),
  ),
  platform: Platform,
  name: v.exactOptional(text("name", NAME_MAX_CODE_POINTS)),
});
export type DeviceInput = v.InferOutput<typeof DeviceInput>;

/** A device as its owner sees it. The token stays inside: whoever has it can be sent to. */
export const DeviceView = v.object({
  id: v.string(),
  platform: Platform,
  name: v.nullable(v.string()),
  createdAt: v.string(),
  registeredAt: v.string(),
});
export type DeviceView = v.InferOutput<typeof DeviceView>;

/** `registeredAt`: when the app said last that the token is its own. */
export const Device = v.object({ ...DeviceView.entries, token: v.string() });
export type Device = v.InferOutput<typeof Device>;

export const toDeviceView = ({ id, platform, name, createdAt, registeredAt }: Device): DeviceView => ({
  id,
  platform,
  name,
  createdAt,
  registeredAt,
});
