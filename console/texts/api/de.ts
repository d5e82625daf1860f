/* Translates warnings, faults and refusals by code. Other messages stay in English. */

type CodedText = { code: string; message: string; params?: Readonly<Record<string, string>> };

/** Returns the question whether a similar name was meant; empty if the warning has no similar name. */
const suggestMeantValue = ({ params }: CodedText): string =>
  params?.["meant"] === undefined ? "" : ` Meinten Sie ${params["meant"]}?`;
/** Returns the limit in a message that contains "at most 5" or "at least 5"; empty if there is none. */
const readLimit = ({ message }: CodedText): string =>
  /at (?:most|least) (?<limit>[\d,.]*\d)/.exec(message)?.groups?.["limit"] ?? "";
const describeRule = ({ params }: CodedText): string => `„${params?.["rule"]}“ in der Kette „${params?.["chain"]}“`;

const warnings: Readonly<Record<string, string | ((warning: CodedText) => string)>> = {
  group_deleted: "Eine der genannten Gruppen wurde gelöscht: Dort wird niemand benachrichtigt.",
  group_empty: "Eine der genannten Gruppen hat keine Mitglieder: Dort wird niemand benachrichtigt.",
  nobody_on_call: "In einer der genannten Gruppen hat nie jemand Bereitschaft: Dort wird niemand benachrichtigt.",
  nobody_on_duty:
    "In der Gruppe hat gerade niemand Bereitschaft: Regeln für Personen in Bereitschaft benachrichtigen dort niemanden.",
  user_left: "Eine der genannten Personen ist nicht mehr Mitglied des Arbeitsbereichs und wird nicht benachrichtigt.",
  no_devices:
    "Eine der genannten Gruppen oder Personen hat kein registriertes Gerät: Benachrichtigungen an sie schlagen fehl.",
  no_device: "Diese Person hat kein registriertes Gerät: Benachrichtigungen an sie schlagen fehl.",
  devices_must_renew:
    "Alle Geräte dieser Person sind mit den Schlüsseln eines anderen Dienstes registriert. Die Person erhält keine Pushes, bis sie ein Gerät neu registriert.",
  devices_silent:
    "Seit 30 Tagen kein Kontakt zu den Geräten dieser Person: Die Person ist vielleicht nicht erreichbar. Sie kann ein Gerät testen oder die App öffnen.",
  policy_deleted: "Die Eskalationsrichtlinie wurde gelöscht: Ereignisse eskalieren nicht.",
  policy_reaches_nobody: "Keine Stufe der Eskalationsrichtlinie benachrichtigt jemanden.",
  policy_step_gone: "Eine Stufe der Eskalationsrichtlinie nennt eine Gruppe oder Person, die nicht mehr existiert.",
  policy_not_armed:
    "Die Regel verlangt keine Quittierung, daher gilt ihre Richtlinie nur für Ereignisse, die eine verlangen.",
  participant_not_in_group:
    "Diese Person ist nicht in der Gruppe: Hat nur sie Bereitschaft, benachrichtigen Regeln für Personen in Bereitschaft niemanden.",
  never_on_duty:
    "Diese Person ist eingeteilt, hat aber nie Bereitschaft: Keine Schicht liegt in den aktiven Zeiten ihrer Rotation, oder eine spätere Rotation geht vor.",
  way_without_device:
    "Diese Person hat für diesen Kanal kein bestätigtes Gerät und wird auf diesem Kanal nicht benachrichtigt.",
  policy_moves_on:
    "Eine Eskalationsrichtlinie löst ihre nächste Stufe aus, bevor dieser Schritt fällig ist; dieser Schritt benachrichtigt dann vielleicht nie.",
  below_floor:
    "Der Arbeitsbereich verlangt Pflichtkanäle für dringende Alarme; der Dienst ergänzt diese Schritte um solche Kanäle.",
  no_rule: "Keine aktive Regel passt auf einen ausgebliebenen Aufruf: Nur die Eigentümer werden benachrichtigt.",
  turns_moved: "Durch diese Änderung hat diese Person in den nächsten 28 Tagen zu anderen Zeiten Bereitschaft.",
  joined_group: "Diese Person wird Mitglied der Gruppe, damit Regeln für Personen in Bereitschaft sie benachrichtigen.",
  gaps: "In den nächsten 28 Tagen gibt es Zeiten, zu denen niemand benachrichtigt würde, weil niemand aus der Gruppe Bereitschaft hat.",
  pattern_in_slashes: ({ params }) =>
    `Das Muster passt nur auf Texte, die seine Schrägstriche enthalten. Meinten Sie ${params?.["meant"]}?`,
  contradiction: ({ params }) =>
    `Die Bedingungen zu ${params?.["field"]} widersprechen sich, daher trifft die Regel nie zu.`,
  event_key_never_seen: (warning) =>
    `Bisher ist kein Ereignis eingegangen, auf das ${warning.params?.["eventKey"]} passt.${suggestMeantValue(warning)}`,
  field_never_seen: (warning) =>
    `Bisher hatte kein Ereignis mit diesem Ereignisschlüssel das Feld ${warning.params?.["field"]}.${suggestMeantValue(warning)}`,
  chain_position_shared: (warning) =>
    `Dieselbe Position hat die Regel ${describeRule(warning)}. Die Namen entscheiden, welche Regel zuerst kommt.`,
  chain_never_reached: (warning) =>
    `Diese Regel greift nie: Vorher kommt die Regel ${describeRule(warning)}, die auf dieselben Ereignisse passt.`,
};

const faults: typeof warnings = {
  required: "Diese Angabe fehlt.",
  unknown_field: "Dieses Feld gibt es hier nicht.",
  wrong_type: "Dieser Wert hat den falschen Typ.",
  unknown_value: "Dieser Wert ist hier nicht möglich.",
  too_long: (warning) => `Höchstens ${readLimit(warning)} Zeichen.`,
  too_short: (warning) => (readLimit(warning) === "" ? "Diese Angabe fehlt." : `Mindestens ${readLimit(warning)}.`),
  too_many: (warning) => `Höchstens ${readLimit(warning)} Einträge.`,
  too_small: (warning) => `Mindestens ${readLimit(warning)}.`,
  too_large: (warning) => `Höchstens ${readLimit(warning)}.`,
  unknown_reference: "Dieser Eintrag ist in diesem Arbeitsbereich nicht (mehr) vorhanden.",
  in_use: "Dieser Wert wird schon verwendet.",
  out_of_range: "Der Zeitpunkt liegt außerhalb der möglichen Spanne.",
  wrong_name: "Das ist nicht der Name des Arbeitsbereichs.",
  not_verified: "Dieses Gerät ist noch nicht bestätigt.",
  not_configured: "Dieser Dienst ist dafür nicht eingerichtet.",
  way_not_configured: "Über diesen Kanal kann dieser Dienst nicht benachrichtigen.",
  invalid: ({ message }) => {
    const [pattern, text] = invalids.find(([one]) => one.test(message)) ?? [];
    const kept = pattern?.exec(message)?.groups ?? {};
    return text?.replaceAll(/\$([ab])/g, (_, name: string) => kept[name] ?? "") ?? `Nicht möglich: ${message}`;
  },
  pattern_too_dear: "Die regulären Ausdrücke dieses Arbeitsbereichs wären zu aufwendig.",
};

/** A translation replaces a sentence of the API that matches the pattern. The groups `a` and `b` replace `$a` and `$b`. */
const invalids: readonly (readonly [RegExp, string])[] = [
  [/whole number from (?<a>\d+) to (?<b>\d+), or null/, "Eine ganze Zahl von $a bis $b, oder leer für keine Grenze."],
  [/whole number from (?<a>\d+) to (?<b>\d+)/, "Eine ganze Zahl von $a bis $b."],
  [/whole number of seconds/, "Eine ganze Zahl von Sekunden."],
  [/ISO 8601 timestamp/, "Ein Zeitpunkt mit Datum und Uhrzeit, in den Jahren 1970 bis 2099."],
  [/time of day/, "Eine Uhrzeit von 00:00 bis 24:00."],
  [/must be a date /, "Ein Datum wie 2026-12-25."],
  [/IANA time zone/, "Eine Zeitzone wie Europe/Berlin."],
  [/later than/, "Das Ende muss nach dem Beginn liegen."],
  [/at most (?<a>\d+) days after start/, "Höchstens $a Tage nach dem Beginn."],
  [/must be in the future/, "Der Beginn muss in der Zukunft liegen."],
  [/more than the (?<a>\d+) of the step before/, "Mehr als die $a Minuten des Schritts davor."],
  [/cover the whole week/, "Ruhezeiten dürfen nicht die ganze Woche umfassen."],
  [/must not be blank/, "Diese Angabe fehlt."],
  [/surrogate pair|character NUL/, "Der Text enthält ein ungültiges Zeichen."],
  [/email address/, "Eine E-Mail-Adresse wie alice@acme.example."],
  [/country's code/, "Eine Nummer mit Ländervorwahl wie +4930123456."],
  [/6 digits/, "Die 6 Ziffern, die gesendet wurden."],
  [/is reserved|are reserved/, "Dieser Schlüssel ist dem Dienst vorbehalten."],
  [/^A pattern is/, "Ein Ereignisschlüssel wie booking.created, ein Anfang wie booking.* oder *."],
  [/^An event key must/, "Ein Ereignisschlüssel aus Kleinbuchstaben, Ziffern und Unterstrichen wie booking.created."],
  [/^A field is one of/, "Ein Feld wie title, priority oder data.customer.tier."],
  [/^A path is/, "Namen mit Punkten dazwischen, die zu einem Wert führen, wie alert.title oder tags.0."],
  [/^A priority is one of (?<a>[A-Z, ]+)\./, "Eine von $a."],
  [/\[low, high\]/, "Zwei Werte, der kleinere zuerst."],
  [/^The value must be a number/, "Eine Zahl mit höchstens 38 Stellen; bei priority eine Priorität."],
  [/^The value must be a string/, "Ein Text, true, false oder eine Zahl mit höchstens 38 Stellen."],
  [/in RE2 syntax/, "Ein regulärer Ausdruck in RE2-Syntax, ohne Rückverweise und ohne Vor- oder Rückschau."],
  [/^This regular expression/, "Der reguläre Ausdruck ist zu aufwendig: Verringern Sie seine Wiederholungen."],
  [/^ignoreCase is only/, "Groß- und Kleinschreibung lässt sich nur bei Textvergleichen ignorieren."],
  [/ once\.$| twice\.$/, "Jeder Eintrag darf nur einmal vorkommen."],
  [/at most (?<a>\d+) bytes/, "Höchstens $a Bytes."],
  [/at most (?<a>\d+) words/, "Höchstens $a Wörter."],
  [/at most (?<a>\d+) users/, "Alle Schichten zusammen haben höchstens $a Personen."],
  [/must be an object/, "Hier gehört ein JSON-Objekt hin."],
  [/1 to (?<a>\d+) entries together/, "Zusammen 1 bis $a Personen und Gruppen."],
  [/one of "minutes" and "until"/, "Entweder eine Dauer oder ein Zeitpunkt."],
  [/index of a turn/, "Die Nummer einer Schicht der Reihenfolge, ab 0."],
  [/^resource must be lowercase/, "Kleinbuchstaben, Ziffern und Unterstriche, etwa datadog."],
  [/^"mapping" is/, "Ein Schlüssel mit der Quelle mapped braucht eine Zuordnung; kein anderer Schlüssel hat eine."],
  [/^"signingSecret" is/, "Nur ein Schlüssel mit der Quelle sentry hat ein Signaturgeheimnis."],
  [/signing secret:/, "Das Signaturgeheimnis des Werkzeugs: 16 bis 200 Zeichen ohne Leerzeichen."],
  [/ARN of an SNS topic/, "Der ARN eines SNS-Themas wie arn:aws:sns:eu-west-1:123456789012:alarms."],
  [/id of a channel/, "Die ID eines Kanals wie C0123456789; Slack zeigt sie am Ende der Kanaldetails."],
  [/id of a user group/, "Die ID einer Nutzergruppe wie S0123456789; Slack zeigt sie im Menü der Gruppe."],
  [
    /link from Slack/,
    "Dieser Link ist abgelaufen oder wurde verwendet. Klicken Sie in Slack noch einmal auf die Schaltfläche.",
  ],
  [/user group follows/, "Für eine Nutzergruppe lassen sich nur Gruppen wählen."],
  [/^url must/, "Eine öffentliche Adresse mit https://, ohne Port, Benutzernamen und Passwort."],
  [/ ids? of | id, such /, "Dieser Eintrag ist in diesem Arbeitsbereich nicht (mehr) vorhanden."],
];

/** The texts of refusals of a whole request, which have no field, by code. */
const refusals: Readonly<Record<string, string>> = {
  role_required: "Dafür reicht Ihre Rolle nicht. Ein Eigentümer des Arbeitsbereichs kann sie ändern.",
  people_only: "Das können nur Personen tun, keine Maschinen.",
  workspace_limit: "Mehr Arbeitsbereiche können Sie nicht anlegen. Ein Betreiber kann mehr erlauben.",
  last_member: "Das letzte Mitglied eines Arbeitsbereichs kann nicht entfernt werden.",
  last_owner: "Das ist der einzige Eigentümer des Arbeitsbereichs. Machen Sie zuerst jemand anderen zum Eigentümer.",
  already_member: "Diese Adresse gehört einem Mitglied. Ändern Sie stattdessen dessen Rolle.",
  limit_reached: "Die Höchstzahl ist erreicht. Löschen Sie zuerst einen Eintrag.",
  policy_in_use: "Regeln verwenden diese Richtlinie. Ändern Sie zuerst diese Regeln.",
  used_by_policies: "Eskalationsrichtlinien nennen diesen Eintrag in ihren Stufen. Ändern Sie zuerst die Richtlinien.",
  cover_closed: "Diese Vertretung ist übernommen, zurückgezogen oder vorbei.",
  cannot_cover: "Diese Vertretung können Sie nicht übernehmen.",
  event_over: "Das Ereignis ist gelöst oder verfallen und lässt sich nicht mehr ändern.",
  nothing_to_do: "Hier ist gerade nichts zu tun: Niemand muss quittieren, oder keine Stufe steht an.",
  body_too_large: "Die Eingaben sind zu groß.",
};

/** A translation replaces a reason of the API that matches the pattern. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^No registered devices/, "kein registriertes Gerät"],
  [/ acknowledged before /, "nicht gesendet, denn das Ereignis war schon quittiert"],
  [/ resolved before /, "nicht gesendet, denn das Ereignis war schon gelöst"],
  [/: all .* failed$/, "kein Gerät hat den Push angenommen"],
  [/ may or may not have arrived$/, "keine Antwort vom Push-Dienst; vielleicht ist der Push angekommen"],
  [/ not available before the push expired /, "der Push-Dienst war nicht verfügbar, bis der Push verfiel"],
];

const isCodedText = (value: unknown): value is CodedText => typeof Object(value).code === "string";

/** Translates the message. If there is no translation, puts "Nicht möglich:" before a fault's English message. */
const translateWarningOrFault = (translations: typeof warnings, warning: unknown): unknown => {
  if (!isCodedText(warning)) return warning;
  const wording = Object.hasOwn(translations, warning.code) ? translations[warning.code] : undefined;
  if (wording === undefined)
    return translations === faults ? { ...warning, message: `Nicht möglich: ${warning.message}` } : warning;
  return { ...warning, message: typeof wording === "string" ? wording : wording(warning) };
};

/** Translates one value of an answer, as the reviver of `JSON.parse`. Returns a value without a translation unchanged. */
export const translateCodedText = (key: string, value: unknown): unknown => {
  if (key === "" && isCodedText(value) && Object.hasOwn(refusals, value.code))
    return { ...value, detail: refusals[value.code] };
  if (key === "failedReason" && typeof value === "string")
    return reasons.find(([pattern]) => pattern.test(value))?.[1] ?? value;
  if (!Array.isArray(value)) return value;
  if (key === "warnings") return value.map((one) => translateWarningOrFault(warnings, one));
  return key === "errors" ? value.map((one) => translateWarningOrFault(faults, one)) : value;
};
