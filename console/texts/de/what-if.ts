import type { Texts } from "../en/what-if.ts";

export const texts = {
  whatIf: {
    lead: "Wozu würde ein Ereignis führen, und wann? Nichts wird gespeichert, und niemand wird benachrichtigt.",
    at: "Um",
    atHint: "Nach Ihrer Uhr. Leer: jetzt.",
    title: "Titel",
    body: "Text",
    data: "Einzelheiten",
    dataHint: 'Wie der Sender sie in data hat, in JSON, etwa {"attempts": 3}. Leer: keine.',
    noJson: "Einzelheiten müssen JSON sein.",
    ofEvent: "Das Ereignis:",
    another: "Ein anderes Ereignis",
    run: "Zeigen, was geschähe",
    result: "Was geschähe",
    when: (time: string) => `Am ${time}:`,
    byRule: (rule: string) => `durch Regel ${rule}`,
    byStep: (policy: string, step: number, steps: number, round: number) =>
      `durch Stufe ${step} von ${steps}${round > 1 ? `, Runde ${round},` : ""} der Richtlinie ${policy}`,
    because: {
      delay: "weil niemand quittiert hat",
      nobody_reached: "sofort, weil vorher niemand erreichbar ist",
      not_confirmed: "weil kein Gerät bestätigt hat",
    },
    outcomes: {
      pending: "Es würde gemeldet.",
      no_match: "Keine Regel würde zutreffen.",
      no_recipient: "Es gäbe niemanden zu benachrichtigen.",
      delivered: "Alle würden benachrichtigt.",
      partial: "Einige könnten nicht benachrichtigt werden.",
      all_failed: "Niemand könnte benachrichtigt werden.",
      silenced: "Eine Stummschaltung würde es zurückhalten.",
      flapping: "Es würde zurückgehalten, weil sein Alarm flattert.",
      grouped: "Ein anderes Ereignis seiner Gruppe hätte geklingelt.",
      below_threshold: "Es wären zu wenige gekommen, um zu klingeln.",
    },
    nobody: "niemand",
    others: (n: number) => (n === 1 ? "1 weitere Person" : `${n} weitere`),
    silence: (name: string, people: number) =>
      `Die Stummschaltung „${name}“ hielte es still: ${people === 1 ? "1 Person" : `${people} Personen`} würden nicht benachrichtigt.`,
    story: "Solange niemand quittiert",
    people: "Wer zuerst benachrichtigt wird, und wann",
    moreSteps: (n: number) => `und ${n} spätere ${n === 1 ? "Mal" : "Male"}`,
    priority: "Priorität",
  },
} satisfies Texts;
