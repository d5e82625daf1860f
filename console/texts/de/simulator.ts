import type { StepOfPolicy } from "../catalogue.ts";
import type { Texts } from "../en/simulator.ts";
import { formatStep } from "./step.ts";

export const texts = {
  simulator: {
    lead: "Simulieren Sie ein Ereignis, um zu sehen, wer wann benachrichtigt würde. Nichts wird gespeichert, und niemand wird benachrichtigt.",
    at: "Um",
    atHint: "In Ihrer Zeitzone. Leer: jetzt.",
    title: "Titel",
    body: "Text",
    data: "Einzelheiten",
    dataHint: 'Die Daten des Ereignisses als JSON, etwa {"attempts": 3}. Leer: keine.',
    noJson: "Einzelheiten müssen JSON sein.",
    ofEvent: "Das Ereignis:",
    another: "Ein anderes Ereignis",
    run: "Simulieren",
    result: "Ergebnis",
    when: (time: string) => `Am ${time}:`,
    byRule: (rule: string) => `durch Regel ${rule}`,
    byStep: (policy: string, step: StepOfPolicy) => `durch Richtlinie ${policy} ${formatStep(step)}`,
    because: {
      delay: "weil niemand quittiert hat",
      nobody_reached: "sofort, weil kein früherer Empfänger erreichbar ist",
      not_confirmed: "weil kein Gerät den Push bestätigt hat",
    },
    outcomes: {
      pending: "Empfänger würden benachrichtigt.",
      no_match: "Keine Regel würde zutreffen.",
      no_recipient: "Es gäbe keine Empfänger.",
      delivered: "Alle Empfänger würden benachrichtigt.",
      partial: "Einige Benachrichtigungen würden fehlschlagen.",
      all_failed: "Alle Benachrichtigungen würden fehlschlagen.",
      silenced: "Das Ereignis wäre stummgeschaltet.",
      flapping: "Der Alarm würde flattern, daher würde das Ereignis zurückgehalten.",
      grouped: "Das Ereignis würde mit einem anderen gruppiert.",
      shadow: "Ein Schattenbetrieb wäre aktiv.",
      below_threshold: "Der Schwellenwert der Regel wäre nicht erreicht.",
    },
    nobody: "niemand",
    others: (n: number) => (n === 1 ? "1 weitere Person" : `${n} weitere`),
    silence: (name: string, people: number) =>
      `Die Stummschaltung „${name}“ würde das Ereignis erfassen: ${people === 1 ? "1 Person wird" : `${people} Personen werden`} dann nicht benachrichtigt.`,
    story: "Verlauf, solange niemand quittiert",
    people: "Erste Empfänger",
    moreSteps: (n: number) => `und später ${n === 1 ? "noch einmal" : `noch ${n}-mal`}`,
    priority: "Priorität",
  },
} satisfies Texts;
