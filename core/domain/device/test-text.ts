import type { Language } from "../basics/language.ts";
import type { Channel } from "./channel.ts";
import type { Device } from "./device.ts";

/** What a device is told that is about no event: that it can be reached, or that its owner comes on call. */
type Texts = {
  test: { title: string; body: string };
  onCallSoon: (group: string) => string;
  /** `isSilent`: whether the device confirms by itself. */
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
    onCallSoon: (group) => `Sie haben bald Bereitschaft in ${group}`,
    from: (time, isSilent) =>
      isSilent
        ? `Ab ${time}. Damit ist bestätigt, dass Sie erreichbar sind. Sie müssen nichts tun.`
        : `Ab ${time}. Bitte bestätigen Sie, dass Sie erreichbar sind.`,
    locale: "de-DE",
  },
};

/**
 * The language in which a device of a person is told something: the one in which it was registered, or else the one in
 * which the person has registered another last. A call is spoken by an English voice.
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

/** A time (milliseconds) as its reader writes it, in UTC. */
const timeIn = (language: Language, at: number): string =>
  `${new Intl.DateTimeFormat(texts[language].locale, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }).format(at)} UTC`;

/** The text by which whoever comes on call is to confirm that they can be reached. */
export const reachabilityText = (
  language: Language,
  { group, start, way }: { group: string; start: number; way: Channel },
): { title: string; body: string } => ({
  title: texts[language].onCallSoon(group),
  body: texts[language].from(timeIn(language, start), way === "push" || way === "sms"),
});
