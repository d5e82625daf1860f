import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Starts Debian's Chromium, or the browser in CHROMIUM. Throws if the browser does not exist. */
export const launchChromium = (...args: string[]): Promise<Browser> => {
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  if (!existsSync(executablePath))
    throw new Error(`${executablePath} is missing: apt-get install chromium, or set CHROMIUM`);
  return chromium.launch({ executablePath, args: ["--no-sandbox", ...args] });
};
