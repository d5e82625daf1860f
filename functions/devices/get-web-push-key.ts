import type { Deps } from "../../core/deps.ts";
import { Refusal } from "../../core/domain/basics/refusal.ts";
import type { WebPushKey } from "../../core/domain/device/subscription.ts";
import { liveDeps } from "../../core/live.ts";
import { liveVapidKeys } from "../../core/live-push.ts";
import { session } from "../http/auth.ts";
import { endpoint, ok } from "../http/endpoint.ts";

type KeyDeps = Pick<Deps, "log"> & { getVapidKeys: () => Promise<{ current: { publicKey: string } } | undefined> };

/** The public key that a browser subscribes with (`applicationServerKey`), in base64url. */
export const getWebPushKey = (deps: KeyDeps) =>
  endpoint(deps)
    .use(session())
    .handler(async () => {
      const keys = await deps.getVapidKeys();
      if (keys === undefined)
        throw new Refusal("not_found", "This service has no keys for Web Push yet: its operator makes them.");
      const key: WebPushKey = { publicKey: keys.current.publicKey };
      return ok(key);
    });

export const handler = getWebPushKey({ ...liveDeps(), getVapidKeys: liveVapidKeys() });
