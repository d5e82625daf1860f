import * as v from "valibot";

/** `push` is an app or a browser. */
export const channels = ["push", "email", "sms", "voice"] as const;
const listed = `${channels.slice(0, -1).join(", ")} or ${channels.at(-1)}`;
export const Channel = v.picklist(channels, `A channel must be ${listed}.`);
export type Channel = v.InferOutput<typeof Channel>;

const CHANNELS_MESSAGE = 'ways must be an array of ways, such as ["push"].';
export const Channels = v.pipe(
  v.array(Channel, CHANNELS_MESSAGE),
  v.minLength(1, "ways must contain at least one channel."),
  v.check((channels) => new Set(channels).size === channels.length, "ways must contain each channel once."),
);

export const pushChannels = ["fcm", "web-push", "email", "sms", "voice"] as const;
