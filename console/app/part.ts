import { Failed, createLocalFailure } from "./failure.ts";
import { loadTexts } from "./load-texts.ts";
import { texts } from "../texts.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";

/* A deployment deletes files that an open page may still load. If a file is missing, the page is reloaded once. */

const RELOADED = "reloaded";
/** How long after a reload the page is not reloaded again. */
const AGAIN_AFTER_MS = MINUTE_MS;
const ANSWER_WITHIN_MS = 10_000;

/** Returns whether the console answers. Checks the content, because a captive portal answers with another page. */
const isConsoleReachable = async (): Promise<boolean> => {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const answer = await fetch("/inbox", { cache: "no-store", signal });
    return answer.ok && (await answer.text()).includes('name="event-alerting"');
  } catch {
    return false;
  }
};

/** Loads a part of the build and its texts. Throws `Failed` without a network, or if the part is missing even after a reload. */
export const loadPart = async <Part>(load: () => Promise<Part>, textsName = ""): Promise<Part> => {
  try {
    // The part needs its texts, so both are loaded at the same time.
    const [part] = await Promise.all([load(), loadTexts(textsName)]);
    return part;
  } catch {
    if (!(await isConsoleReachable())) throw new Failed({ kind: "offline" });
    const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - last < AGAIN_AFTER_MS) throw createLocalFailure(texts.failures.partGone);
    sessionStorage.setItem(RELOADED, String(Date.now()));
    location.reload();
    // Never resolves, because the page is being reloaded.
    return new Promise<never>(() => undefined);
  }
};
