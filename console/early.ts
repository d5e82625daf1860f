import { setting } from "./app/setting.ts";
import { renewTokens } from "./app/tokens.ts";

/*
 * A small script beside the console: it renews the session while the large one is still being loaded. The console takes up
 * what comes of it, also that it failed.
 */

if (location.origin === setting.origin) {
  globalThis.earlyTokens = renewTokens();
  globalThis.earlyTokens.catch(() => undefined);
}
