import * as v from "valibot";
import { decodeBase64url, isP256PublicKey } from "../basics/p256.ts";
import { textSchema } from "../basics/text.ts";

const ENDPOINT_MAX_CODE_POINTS = 2_048;
const AUTH_BYTES = 16;

/** The JSON of a browser's `PushSubscription`. */
export const Subscription = v.object(
  {
    endpoint: textSchema("endpoint", ENDPOINT_MAX_CODE_POINTS),
    keys: v.object(
      {
        p256dh: v.pipe(
          v.string("p256dh must be a string."),
          v.check(isP256PublicKey, "p256dh must be a public key on P-256: 65 bytes, uncompressed, in base64url."),
        ),
        auth: v.pipe(
          v.string("auth must be a string."),
          v.check(
            (value) => decodeBase64url(value)?.length === AUTH_BYTES,
            `auth must be ${AUTH_BYTES} bytes in base64url.`,
          ),
        ),
      },
      "keys must be an object: {p256dh, auth}.",
    ),
  },
  "subscription must be an object: {endpoint, keys: {p256dh, auth}}.",
);
export type Subscription = v.InferOutput<typeof Subscription>;

/** The public key in base64url, which browsers need to subscribe. */
export const WebPushKey = v.object({ publicKey: v.string() });
export type WebPushKey = v.InferOutput<typeof WebPushKey>;
