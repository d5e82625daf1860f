import type { Catalogue } from "../catalogue.ts";

/** What the inbox says in a workspace without an event. */
export const texts = {
  guide: {
    heading: "From nothing to the first push",
    steps: {
      device: "A device that is told",
      rule: "A rule that says which events wake whom",
      key: "A key that an application sends with",
      event: "An event",
      acknowledge: "An acknowledgement",
    },
    isDone: "done",
    makeRule: "Tell me of every event",
    makeKey: "Make a key",
    send: "Send an event",
    sent: "The event is sent.",
    wait: "The push is on its way. Press Acknowledge where it shows up below.",
    finish: "Done",
    skip: "Skip",
    groupName: "On duty",
    ruleName: "Everything",
    keyName: "First key",
    event: { event: "hello.world", title: "Hello", body: "This is the first event.", priority: "HIGH" },
    ruleSaved: (name: string) => `The rule "${name}" is saved.`,
    key: "Key",
  },
};
export type Texts = Catalogue<typeof texts>;
