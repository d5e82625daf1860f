import type { Texts } from "../en/second-factor.ts";

export const texts = {
  secondFactor: {
    off: "Sie melden sich nur mit Ihrem Passwort an. Eine Authenticator-App auf Ihrem Telefon macht das sicherer: Die Anmeldung fragt dann auch nach einem Code aus der App.",
    on: "Die Anmeldung fragt nach dem Code Ihrer Authenticator-App.",
    setUp: "Authenticator-App einrichten",
    replace: "Andere App einrichten",
    how: "Fügen Sie diesen Schlüssel in der App als zeitbasierten Schlüssel hinzu, oder öffnen Sie den Link auf dem Telefon mit der App. Geben Sie dann den Code ein, den die App zeigt.",
    key: "Schlüssel",
    openApp: "In einer Authenticator-App öffnen",
    code: "Code",
    confirm: "Einschalten",
    turnedOn: "Der zweite Faktor ist eingeschaltet. Die nächste Anmeldung fragt nach einem Code.",
    turnOff: "Ausschalten",
    turnOffQuestion: "Den zweiten Faktor ausschalten und sich nur mit dem Passwort anmelden?",
    wrongCode: "Dieser Code ist nicht gültig. Warten Sie auf den nächsten Code, und geben Sie ihn ein.",
    signInAgain: "Dafür müssen Sie sich neu anmelden: Drücken Sie auf „Abmelden“, und melden Sie sich dann an.",
    notOffered: "Einen zweiten Faktor gibt es hier nicht.",
    refused: (message: string) => `Der Anmeldedienst hat die Anfrage abgelehnt: ${message}`,
    turnedOff: "Der zweite Faktor ist ausgeschaltet.",
  },
} satisfies Texts;
