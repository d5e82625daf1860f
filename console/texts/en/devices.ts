import type { Catalogue } from "../catalogue.ts";

/** What the devices say. */
export const texts = {
  devices: {
    empty: "No device yet. Let this browser notify you, or sign in to the app on your phone.",
    test: "Send a test",
    testShown: (seconds: string) => `Test shown after ${seconds} s`,
    testUnconfirmed: "Test sent; the device has not confirmed it yet",
    testRefused: (code: string) => `The push service did not take the test (${code}).`,
    silent: "Not heard of for 30 days: it may not be reached any more",
    mustRenew: "No push reaches it: it is registered with another sender. Renew it there",
    lastReached: "Last reached",
    notYet: "not yet",
    failed: (code: string) => `Last push failed (${code})`,
    addAddress: "Add an e-mail address",
    addPhone: "Add a phone number",
    phone: "Phone number, such as +4930123456",
    phoneWays: { sms: "Text messages", voice: "Calls" },
    testPhone: { sms: "Send a test message", voice: "Call me" },
    email: "E-mail address",
    sendCode: "Send a code",
    codeSent: (address: string) => `A code is on its way to ${address}.`,
    alreadyVerified: (address: string) => `${address} is verified already.`,
    unverified: "Not verified yet: nothing is sent there",
    stopped: "It has answered STOP: nothing is sent there until it is verified again",
    failing: (code: string) => `Nothing arrives there (${code}): have another code sent, and enter it`,
    code: "Code from the message or the call",
    verify: "Verify",
    verified: (address: string) => `${address} is verified: alerts come there from now on.`,
    anotherCode: "Send another code",
    registered: "Registered",
    askRemove: (name: string) => `Alerts no longer reach you on ${name}.`,
    askLast: (name: string, shift: string | undefined) =>
      `Nothing else reaches you: without ${name}, alerts for you fail.${shift === undefined ? "" : ` You are on call from ${shift} and could not be reached.`}`,
    removed: (name: string) => `${name} is removed.`,
  },
};
export type Texts = Catalogue<typeof texts>;
