import { setting } from "./app/setting.ts";
import { renewTokens } from "./app/tokens.ts";

/*
 * A small script next to the console: it renews the session while the large script is still loading. The console takes
 * over the result, also a failure.
 */

if (location.origin === setting.origin) {
  globalThis.earlyTokens = renewTokens();
  globalThis.earlyTokens.catch(() => undefined);
}
