import { loadInboxTexts } from "./app/catalogues.ts";
import { language, languages } from "./app/language.ts";
import { loadTexts, toTextsName } from "./app/load-texts.ts";
import { setting } from "./app/setting.ts";
import { renewTokens } from "./app/tokens.ts";

/* Renews the session and loads texts while the main script is loading, which then awaits these requests instead of its own. */

/** The pause before a reload if the texts cannot be loaded, because the console cannot start without texts. */
const AGAIN_AFTER_MS = 5000;

document.documentElement.lang = language;
document.documentElement.dir = languages[language];

if (location.origin === setting.origin) {
  loadInboxTexts().catch(() => setTimeout(() => location.reload(), AGAIN_AFTER_MS));
  // Most visits begin in the inbox, which needs no other texts. Other pages need their own texts at once.
  const { pathname } = location;
  if (!["/", "/inbox", "/login", "/signed-in"].includes(pathname))
    loadTexts(toTextsName(pathname)).catch(() => undefined);
  globalThis.earlyTokens = renewTokens();
  globalThis.earlyTokens.catch(() => undefined);
}
