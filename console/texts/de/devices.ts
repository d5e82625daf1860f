import type { Texts } from "../en/devices.ts";

export const texts = {
  devices: {
    empty: "Noch kein Gerät. Lassen Sie sich von diesem Browser benachrichtigen, oder melden Sie sich in der App an.",
    atNight: "Stellen Sie sicher, dass Ihr Telefon nachts klingelt",
    test: "Test senden",
    testShown: (seconds: string) => `Test nach ${seconds} s angezeigt`,
    testUnconfirmed: "Test gesendet; das Gerät hat ihn noch nicht bestätigt",
    testRefused: (code: string) => `Der Push-Dienst hat den Test nicht angenommen (${code}).`,
    silent: "Seit 30 Tagen kein Kontakt; möglicherweise nicht erreichbar",
    mustRenew:
      "Pushes kommen nicht an: Das Gerät ist mit den Schlüsseln eines anderen Dienstes registriert. Erneuern Sie die Registrierung auf dem Gerät",
    lastReached: "Zuletzt erreicht",
    notYet: "noch nicht",
    failed: (code: string) => `Letzter Push fehlgeschlagen (${code})`,
    addAddress: "E-Mail-Adresse hinzufügen",
    addPhone: "Telefonnummer hinzufügen",
    phone: "Telefonnummer, etwa +4930123456",
    phoneWays: { sms: "SMS", voice: "Anrufe" },
    testPhone: { sms: "Test-SMS senden", voice: "Mich anrufen" },
    email: "E-Mail-Adresse",
    sendCode: "Code senden",
    codeSent: (address: string) => `Code an ${address} gesendet.`,
    alreadyVerified: (address: string) => `${address} ist schon bestätigt.`,
    unverified: "Noch nicht bestätigt; an dieses Gerät wird nichts gesendet",
    stopped: "Diese Nummer hat STOP geantwortet: Sie erhält nichts, bis Sie die Nummer erneut bestätigen",
    failing: (code: string) =>
      `Nachrichten kommen nicht an (${code}). Lassen Sie sich einen Bestätigungscode senden, und geben Sie ihn ein`,
    code: "Code aus der Nachricht oder dem Anruf",
    verify: "Bestätigen",
    verified: (address: string) => `${address} ist bestätigt und erhält jetzt Alarme.`,
    anotherCode: "Neuen Code senden",
    registered: "Registriert",
    askRemove: (name: string) => `Sie erhalten auf ${name} keine Alarme mehr.`,
    askLast: (name: string, shift: string | undefined) =>
      `Sie haben kein anderes Gerät: Ohne ${name} schlagen Alarme an Sie fehl.${shift === undefined ? "" : ` Sie haben ab ${shift} Bereitschaft und wären nicht erreichbar.`}`,
    removed: (name: string) => `${name} ist entfernt.`,
  },
} satisfies Texts;
