import { expect, it } from "vitest";
import { readModel } from "../../../local/template/model.ts";
import { parseTemplate } from "../../../local/template/resolve.ts";
import { synthesizeStack } from "../../../local/template/synthesize.ts";

const urls = { queues: "http://127.0.0.1:4000", api: "http://127.0.0.1:3000", signIn: "http://127.0.0.1:5000" };
const readModelOf = async (callsRegion?: string) =>
  readModel(parseTemplate(await synthesizeStack({ callsRegion })), urls);

it.each([
  ["the stage's own region", undefined, "us-east-1"],
  ["another region", "eu-west-2", "eu-west-2"],
])(
  "calls from %s use the contact flow that the sender expects, and pressed keys reach the function that accepts them",
  async (_, asked, region) => {
    const { calls, functions } = await readModelOf(asked);
    const sender = functions.find(({ name }) => name === "sender");
    const setting: unknown = JSON.parse(sender?.environment["VOICE"] ?? "{}");
    const called = /"LambdaFunctionARN":"(?<arn>[^"]+)"/.exec(calls?.content ?? "")?.groups?.["arn"];

    expect(calls?.instance).toContain(`:connect:${region}:`);
    expect(setting).toMatchObject({ region, flowId: calls?.flowId });
    expect(called).toBe("arn:aws:lambda:us-east-1:000000000000:function:event-alerting-dev-voice");
    expect(calls?.functionOf(called ?? "")).toBe("voice");
    expect(sender?.statements).toContainEqual({
      Effect: "Allow",
      Action: ["connect:StartOutboundVoiceContact"],
      Resource: [`${calls?.instance}/contact/*`],
    });
  },
);
