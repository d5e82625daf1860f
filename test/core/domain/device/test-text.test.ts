import { expect, it } from "vitest";
import { findSupportedLanguage } from "../../../../core/domain/basics/language.ts";
import { chooseLanguage, formatReachabilityText, getTestText } from "../../../../core/domain/device/test-text.ts";
import type { Device } from "../../../../core/domain/device/device.ts";

const aDevice = (day: number, language?: Device["language"]): Device => {
  const at = `2026-10-${day}T08:00:00.000Z`;
  return { id: `dev_${day}`, platform: "web", name: null, createdAt: at, registeredAt: at, language };
};

it.each([
  ["de-AT,de;q=0.9,en;q=0.8", "de"],
  ["fr-FR, fr;q=0.9, en-GB;q=0.5, de;q=0.4", "en"],
])("for the header Accept-Language: %j, the first supported language is %s", (accepted, language) => {
  expect(findSupportedLanguage(accepted)).toBe(language);
});

it.each(["FR", "*", ""])("the header Accept-Language: %j names no supported language", (accepted) => {
  expect(findSupportedLanguage(accepted)).toBeUndefined();
});

it("a test message uses the device's language, or else that of the owner's newest device, or else English", () => {
  const [old, newer, silent] = [aDevice(11, "de"), aDevice(12, "en"), aDevice(13)];

  expect(chooseLanguage(old, [old, newer, silent], "push")).toBe("de");
  expect(chooseLanguage(silent, [old, newer, silent], "sms")).toBe("en");
  expect(chooseLanguage(silent, [aDevice(14, "de"), newer, silent], "email")).toBe("de");
  expect(chooseLanguage(silent, [silent], "push")).toBe("en");
  // A newer registration without a language does not change the language of the person's messages.
  expect(chooseLanguage(silent, [old, aDevice(15)], "push")).toBe("de");
});

it("a test by phone call is in English, because the voice speaks no other language", () => {
  const device = aDevice(11, "de");

  expect(chooseLanguage(device, [device], "voice")).toBe("en");
});

it("a reachability check says in English or German when and in which group a shift begins, and whether action is needed", () => {
  const shift = { group: "Ops", start: Date.UTC(2026, 9, 24, 7) } as const;

  expect(formatReachabilityText("en", { ...shift, way: "push" })).toEqual({
    title: "You are on call in Ops soon",
    body: "On call from 24 October 2026 at 07:00 UTC. This confirms that you can be reached. No action is needed.",
  });
  expect(formatReachabilityText("de", { ...shift, way: "sms" })).toEqual({
    title: "Ihre Bereitschaft beginnt bald: Ops",
    body: "Beginn: 24. Oktober 2026 um 07:00 UTC. Ihre Erreichbarkeit ist damit bestätigt; Sie müssen nichts tun.",
  });
  expect(formatReachabilityText("en", { ...shift, way: "voice" }).body).toBe(
    "On call from 24 October 2026 at 07:00 UTC. Confirm that you can be reached.",
  );
  expect(formatReachabilityText("de", { ...shift, way: "email" }).body).toBe(
    "Beginn: 24. Oktober 2026 um 07:00 UTC. Bitte bestätigen Sie, dass Sie erreichbar sind.",
  );
  expect(getTestText("de").title).toBe("Testbenachrichtigung");
});
