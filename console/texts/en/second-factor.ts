import type { Catalogue } from "../catalogue.ts";

/** What the second factor says. */
export const texts = {
  secondFactor: {
    off: "You sign in with your password alone. An authenticator app on your phone makes it safer: signing in then asks for its code, too.",
    on: "Signing in asks for the code of your authenticator app.",
    setUp: "Set up an authenticator app",
    replace: "Set up another app",
    how: "Add this key to the app as a key by time, or open the link on the phone that has the app. Then type the code that it shows.",
    key: "Key",
    openApp: "Open in an authenticator app",
    code: "Code",
    confirm: "Turn on",
    turnedOn: "The second factor is on. The next sign-in asks for it.",
    turnOff: "Turn off",
    turnOffQuestion: "Sign in with your password alone from now on?",
    wrongCode: "This is not the code that the app shows now. Wait for the next one, and type that.",
    signInAgain: "For this you must sign in again: press Sign out, then sign in.",
    notOffered: "A second factor is not in use here.",
    refused: (message: string) => `The sign-in service has refused this: ${message}`,
    turnedOff: "The second factor is off.",
  },
};
export type Texts = Catalogue<typeof texts>;
