import type { Catalogue } from "../catalogue.ts";

export const texts = {
  secondFactor: {
    off: "You sign in with your password only. An authenticator app on your phone makes this safer: sign-in then also asks for a code from the app.",
    on: "Sign-in asks for the code of your authenticator app.",
    setUp: "Set up an authenticator app",
    replace: "Set up another app",
    how: "Add this key to the app as a time-based key, or open the link on the phone that has the app. Then enter the code that the app shows.",
    key: "Key",
    openApp: "Open in an authenticator app",
    code: "Code",
    confirm: "Turn on",
    turnedOn: "The second factor is on. The next sign-in asks for a code.",
    turnOff: "Turn off",
    turnOffQuestion: "Turn off the second factor and sign in with your password only?",
    wrongCode: "This code is not valid. Wait for the next code and enter it.",
    signInAgain: "To do this, sign out and sign in again.",
    notOffered: "A second factor is not available here.",
    refused: (message: string) => `The sign-in service refused the request: ${message}`,
    turnedOff: "The second factor is off.",
  },
};
export type Texts = Catalogue<typeof texts>;
