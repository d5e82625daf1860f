import { expect, it, onTestFinished, vi } from "vitest";
import { buildVoiceFlow } from "../../lib/voice-flow.ts";
import { createCallRunner } from "../../local/phone/flow.ts";
import { valueAt, resourcesOf, listSendersAndGrants } from "./support.ts";

const INSTANCE = "arn:aws:connect:eu-central-1:123456789012:instance/0123abcd-0000-4000-8000-000000000001";
const context = { voiceInstance: INSTANCE, voiceFrom: "+4930123456", voiceCountries: "DE,AT", slack: "true" };
const SENDERS = ["sender", "test-device", "write-devices"];

it("a stage without a Connect instance has no contact flow, permission or setting for phone calls", () => {
  const of = resourcesOf({});

  expect(of("AWS::Connect::ContactFlow")).toEqual([]);
  expect(of("AWS::Connect::IntegrationAssociation")).toEqual([]);
  expect(JSON.stringify([of("AWS::Lambda::Function"), of("AWS::IAM::Role")])).not.toMatch(/connect:|"VOICE"|-voice"/);
});

it("only the three functions that notify contacts may make calls, and only by the stage's Connect instance", () => {
  const { senders, grants } = listSendersAndGrants(resourcesOf(context), "VOICE", "connect");

  expect(senders.map(([name]) => name).sort()).toEqual(SENDERS);
  expect(JSON.stringify(senders[0]?.[1])).toContain("ContactFlowArn");
  expect(grants).toHaveLength(SENDERS.length);
  for (const grant of grants) {
    expect(grant.match(/connect:[A-Z]\w+/g)).toEqual(["connect:StartOutboundVoiceContact"]);
    expect(grant).toContain(`"${INSTANCE}/contact/*"`);
  }
});

it("only the stage's Connect instance may call the function that receives pressed keys", () => {
  const permissions = resourcesOf(context)("AWS::Lambda::Permission").filter(
    ([, permission]) => valueAt(permission, "Principal") === "connect.amazonaws.com",
  );

  expect(permissions).toHaveLength(1);
  expect(valueAt(permissions[0]?.[1], "SourceArn")).toBe(INSTANCE);
  expect(valueAt(permissions[0]?.[1], "SourceAccount")).toEqual({ Ref: "AWS::AccountId" });
});

/** Interprets the contact flow of a call. `answer`: the function's answer to a key. */
const createCall = async (answer: (key: string) => unknown = (key) => ({ say: `You pressed ${key}.` })) => {
  const asked: string[] = [];
  const call = createCallRunner(JSON.stringify(buildVoiceFlow("arn:function")))(
    { say: "Disk full.", token: "t" },
    async (arn, { key = "" }) => {
      asked.push(`${arn} ${key}`);
      return answer(key);
    },
  );
  return { call, asked, spoken: await call.run() };
};

it("the contact flow speaks the alert, passes a pressed key to the function, speaks the function's answer, and ends", async () => {
  const { call, asked, spoken } = await createCall();

  expect(spoken).toBe("Disk full.");
  expect(await call.press("4")).toBe("You pressed 4.");
  expect(asked).toEqual(["arn:function 4"]);
  expect(call.isOver()).toBe(true);
});

it("the contact flow repeats the text on request or after a key without a meaning, but only a few times", async () => {
  const { call, asked } = await createCall();

  for (const key of ["6", "9", "6", "1"]) expect(await call.press(key)).toBe("Disk full.");
  expect(await call.press("6")).toBe("");

  expect(call.isOver()).toBe(true);
  expect(asked).toEqual(["arn:function 6", "arn:function 6", "arn:function 6"]);
});

it("the contact flow uses the answer of a repeated invocation if the first invocations failed", async () => {
  let failures = 2;
  const { call, asked } = await createCall(() =>
    failures-- > 0 ? Promise.reject(new Error("down")) : { say: "Done." },
  );

  expect(await call.press("4")).toBe("Done.");
  expect(asked).toEqual(["arn:function 4", "arn:function 4", "arn:function 4"]);
});

it("the contact flow waits eight seconds for the function, and then asks for the key again", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { call } = await createCall(() => new Promise(() => {}));

  const spoken = call.press("4");
  await vi.advanceTimersByTimeAsync(7999);
  const early = await Promise.race([spoken, Promise.resolve("nothing yet")]);
  await vi.advanceTimersByTimeAsync(1);

  expect(early).toBe("nothing yet");
  expect(await spoken).toBe("That did not work. Please press the key again. Disk full.");
});

it("the contact flow speaks a second time if no key is pressed, and then ends", async () => {
  const { call, asked } = await createCall();

  expect(await call.press(undefined)).toBe("Disk full.");
  expect(await call.press(undefined)).toBe("");

  expect(call.isOver()).toBe(true);
  expect(asked).toEqual([]);
});

it.each([
  ["fails", () => Promise.reject(new Error("down"))],
  ["answers with a value that is not a text", () => ({ say: { text: "nested" } })],
])("the contact flow reports a failure and asks again if the function %s", async (_, answer) => {
  const { call } = await createCall(answer);

  expect(await call.press("4")).toBe("That did not work. Please press the key again. Disk full.");
  expect(call.isOver()).toBe(false);
});

it.each<[string, (flow: string) => string]>([
  ["an action that is not known", (flow) => flow.replace('"MessageParticipant"', '"TransferToQueue"')],
  ["a transition that leads nowhere", (flow) => flow.replace('"NextAction":"answer"', '"NextAction":"nowhere"')],
  [
    "a function that is waited for longer than Connect waits",
    (flow) => flow.replace('"InvocationTimeLimitSeconds":"8"', '"InvocationTimeLimitSeconds":"9"'),
  ],
  [
    "a loop that has no next action",
    (flow) => flow.replace('"LoopCount":"1"},"Transitions":{"NextAction":"ask",', '"LoopCount":"1"},"Transitions":{'),
  ],
])("the contact flow interpreter of the tests refuses a flow with %s", (_, broken) => {
  const flow = JSON.stringify(buildVoiceFlow("arn:function"));
  expect(() => createCallRunner(flow)).not.toThrow();
  expect(broken(flow)).not.toBe(flow);

  expect(() => createCallRunner(broken(flow))).toThrow(/./);
});
