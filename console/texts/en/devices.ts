import type { Catalogue } from "../catalogue.ts";

export const texts = {
  devices: {
    empty: "No devices yet. Turn on notifications in this browser, or sign in to the app on your phone.",
    atNight: "Make sure that your phone rings at night",
    test: "Send a test",
    testShown: (seconds: string) => `Test shown after ${seconds} s`,
    testUnconfirmed: "Test sent, not confirmed by the device yet",
    testRefused: (code: string) => `The push service refused the test (${code}).`,
    silent: "No contact for 30 days; possibly unreachable",
    mustRenew:
      "Pushes do not arrive: the device is registered with the keys of another service. Renew the registration on the device",
    lastReached: "Last reached",
    notYet: "not yet",
    failed: (code: string) => `Last push failed (${code})`,
    addAddress: "Add an email address",
    addPhone: "Add a phone number",
    phone: "Phone number, such as +4930123456",
    phoneWays: { sms: "Text messages", voice: "Calls" },
    testPhone: { sms: "Send a test message", voice: "Call me" },
    email: "Email address",
    sendCode: "Send a code",
    codeSent: (address: string) => `Code sent to ${address}.`,
    alreadyVerified: (address: string) => `${address} is already verified.`,
    unverified: "Not verified yet; nothing is sent to this device",
    stopped: "This number replied STOP; nothing is sent to the number until you verify it again",
    failing: (code: string) => `Messages do not arrive (${code}). Request a verification code and enter it`,
    code: "Code from the message or call",
    verify: "Verify",
    verified: (address: string) => `${address} is verified and now receives alerts.`,
    anotherCode: "Send another code",
    registered: "Registered",
    askRemove: (name: string) => `Alerts will no longer reach you on ${name}.`,
    askLast: (name: string, shift: string | undefined) =>
      `You have no other device: without ${name}, alerts for you fail.${shift === undefined ? "" : ` You are on call from ${shift} and could not be reached.`}`,
    removed: (name: string) => `${name} removed.`,
  },
};
export type Texts = Catalogue<typeof texts>;
