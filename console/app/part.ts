import { Failed, notPossible } from "./failure.ts";
import { loadTexts } from "./own-texts.ts";
import { texts } from "../texts.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";

/*
 * The console's parts are loaded when they are needed. After a deployment those of the open page are deleted: the
 * page is then reloaded once, and gets the new parts.
 */

const RELOADED = "reloaded";
/** A page that was just reloaded and still lacks a part is not helped by reloading again. */
const AGAIN_AFTER_MS = MINUTE_MS;
const ANSWER_WITHIN_MS = 10_000;

/** Whether the console's own page can be had: a captive portal answers with another, and no network with none. */
const isInReach = async (): Promise<boolean> => {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const answer = await fetch("/inbox", { cache: "no-store", signal });
    return answer.ok && (await answer.text()).includes('name="event-alerting"');
  } catch {
    return false;
  }
};

/**
 * Loads a part of the console, with the texts of a name if it has its own. Throws a Failed where there is no network, or
 * where the part is missing all the same.
 */
export const loadPart = async <Part>(load: () => Promise<Part>, ownTexts = ""): Promise<Part> => {
  try {
    // Its modules wait for the texts, which are requested at the same time.
    const [part] = await Promise.all([load(), loadTexts(ownTexts)]);
    return part;
  } catch {
    if (!(await isInReach())) throw new Failed({ kind: "offline" });
    const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - last < AGAIN_AFTER_MS) throw notPossible(texts.failures.partGone);
    sessionStorage.setItem(RELOADED, String(Date.now()));
    location.reload();
    // Nothing of this page continues.
    return new Promise<never>(() => undefined);
  }
};
