import type { Language } from "../basics/language.ts";
import type { Channel } from "./channel.ts";
import type { Device } from "./device.ts";

/** The texts of a device's messages that are not about an event: a test, or a reachability check. */
type Texts = {
  test: { title: string; body: string };
  onCallSoon: (group: string) => string;
  /** `isSilent`: whether the device confirms without its owner. */
  from: (time: string, isSilent: boolean) => string;
  locale: string;
};

const texts: Readonly<Record<Language, Texts>> = {
  en: {
    test: { title: "Test notification", body: "This device can be reached." },
    onCallSoon: (group) => `You are on call in ${group} soon`,
    from: (time, isSilent) =>
      isSilent
        ? `From ${time}. This confirms that you can be reached. No action is needed.`
        : `From ${time}. Confirm that you can be reached.`,
    locale: "en-GB",
  },
  de: {
    test: { title: "Testbenachrichtigung", body: "Dieses Gerät ist erreichbar." },
    onCallSoon: (group) => `Ihre Bereitschaft beginnt bald: ${group}`,
    from: (time, isSilent) =>
      isSilent
        ? `Beginn: ${time}. Ihre Erreichbarkeit ist damit bestätigt; Sie müssen nichts tun.`
        : `Beginn: ${time}. Bitte bestätigen Sie, dass Sie erreichbar sind.`,
    locale: "de-DE",
  },
};

/**
 * The language of a message to a person's device: the one in which it was registered, or else the person's latest
 * one. A call is spoken by an English voice.
 */
export const languageFor = (device: Device, devices: readonly Device[], channel: Channel): Language => {
  if (channel === "voice") return "en";
  const newest = devices
    .filter(({ language }) => language !== undefined)
    .toSorted((one, other) => other.registeredAt.localeCompare(one.registeredAt))[0];
  return device.language ?? newest?.language ?? "en";
};

/** The text of a test. */
export const testText = (language: Language): Texts["test"] => texts[language].test;

/** A time (milliseconds) in the reader's format, in UTC. */
const timeIn = (language: Language, at: number): string =>
  `${new Intl.DateTimeFormat(texts[language].locale, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }).format(at)} UTC`;

/** The text that asks a person who comes on call to confirm that they are reachable. */
export const reachabilityText = (
  language: Language,
  { group, start, way }: { group: string; start: number; way: Channel },
): { title: string; body: string } => ({
  title: texts[language].onCallSoon(group),
  body: texts[language].from(timeIn(language, start), way === "push" || way === "sms"),
});
