import type { Language } from "../basics/language.ts";
import type { Channel } from "./channel.ts";
import type { Device } from "./device.ts";

/** Texts without an event: tests, probes and reachability checks. */
type Texts = {
  test: { title: string; body: string };
  probe: { title: string; body: string };
  onCallSoon: (group: string) => string;
  /** Says when the shift begins, and asks for a confirmation unless the device confirms automatically (`isSilent`). */
  onCallFrom: (time: string, isSilent: boolean) => string;
  locale: string;
};

const texts: Readonly<Record<Language, Texts>> = {
  en: {
    test: { title: "Test notification", body: "This device can be reached." },
    probe: { title: "Your alerts arrive", body: "A routine check of your routing rules. No action is needed." },
    onCallSoon: (group) => `You are on call in ${group} soon`,
    onCallFrom: (time, isSilent) =>
      isSilent
        ? `On call from ${time}. This confirms that you can be reached. No action is needed.`
        : `On call from ${time}. Confirm that you can be reached.`,
    locale: "en-GB",
  },
  de: {
    test: { title: "Testbenachrichtigung", body: "Dieses Gerät ist erreichbar." },
    probe: { title: "Ihre Alarme kommen an", body: "Regelmäßige Prüfung Ihrer Regeln. Sie müssen nichts tun." },
    onCallSoon: (group) => `Ihre Bereitschaft beginnt bald: ${group}`,
    onCallFrom: (time, isSilent) =>
      isSilent
        ? `Beginn: ${time}. Ihre Erreichbarkeit ist damit bestätigt; Sie müssen nichts tun.`
        : `Beginn: ${time}. Bitte bestätigen Sie, dass Sie erreichbar sind.`,
    locale: "de-DE",
  },
};

/** Returns the language of the device, or else of the person's newest registration. Calls are in English, like the voice. */
export const chooseLanguage = (device: Device, devices: readonly Device[], channel: Channel): Language => {
  if (channel === "voice") return "en";
  const newest = devices
    .filter(({ language }) => language !== undefined)
    .toSorted((one, other) => other.registeredAt.localeCompare(one.registeredAt))[0];
  return device.language ?? newest?.language ?? "en";
};

export const getTestText = (language: Language): Texts["test"] => texts[language].test;

export const getProbeText = (language: Language): Texts["probe"] => texts[language].probe;

const formatTime = (language: Language, at: number): string =>
  `${new Intl.DateTimeFormat(texts[language].locale, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }).format(at)} UTC`;

/** Returns the text of a reachability check, for a person who will be on call soon. */
export const formatReachabilityText = (
  language: Language,
  { group, start, way }: { group: string; start: number; way: Channel },
): { title: string; body: string } => ({
  title: texts[language].onCallSoon(group),
  body: texts[language].onCallFrom(formatTime(language, start), way === "push" || way === "sms"),
});
