import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { type SpawnedService, spawnService } from "../../local/spawn.ts";
import { synthesizeStack } from "../../local/template/synthesize.ts";

export type StackTemplate = { Resources: Record<string, { Type: string; Properties: Record<string, unknown> }> };
export type Inbox = {
  messages: {
    id: string;
    token: string;
    message: { data?: Record<string, string>; notification?: { title: string } };
  }[];
};
export type EventView = {
  id: string;
  matched: boolean;
  notifications: { id: string; status: string; user: { id: string; name: string } }[];
};

/** Creates a directory that is removed after the file's tests. */
export const makeDirectory = (): string => {
  const dir = mkdtempSync(join(tmpdir(), "local-service-"));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
};

/** Starts the service, which is stopped after the file's tests. */
export const startLocalService = async (
  dir: string,
  { change, env = {} }: { change?: (template: StackTemplate) => void; env?: Record<string, string> } = {},
): Promise<SpawnedService> => {
  const file = join(dir, "template.json");
  if (change !== undefined) {
    const template = (await synthesizeStack()) as StackTemplate;
    change(template);
    writeFileSync(file, JSON.stringify(template));
  }
  const service = await spawnService({ dir, env: change === undefined ? env : { ...env, LOCAL_TEMPLATE: file } });
  return service;
};

/** Removes a permission from one function only; fails if no permission was removed. */
export const removeGrant = (template: StackTemplate, functionName: string, action: string): void => {
  const isFunctionRole = ({ Type, Properties }: StackTemplate["Resources"][string]) =>
    Type === "AWS::Lambda::Function" && String(Properties["FunctionName"]).endsWith(`-${functionName}`);
  const { Properties } = Object.values(template.Resources).find(isFunctionRole)!;
  const [shared = ""] = (Properties["Role"] as { "Fn::GetAtt": string[] })["Fn::GetAtt"];
  const role = structuredClone(template.Resources[shared]!);
  const own = `${functionName.replaceAll("-", "")}Role`;
  template.Resources[own] = role;
  Properties["Role"] = { "Fn::GetAtt": [own, "Arn"] };
  const policies = role.Properties["Policies"] as {
    PolicyDocument: { Statement: { Action: string | string[] }[] };
  }[];
  let taken = 0;
  for (const { PolicyDocument } of policies)
    PolicyDocument.Statement = PolicyDocument.Statement.flatMap((statement) => {
      const actions = [statement.Action].flat();
      if (!actions.includes(action)) return [statement];
      taken += 1;
      const left = actions.filter((name) => name !== action);
      return left.length === 0 ? [] : [{ ...statement, Action: left }];
    });
  expect(taken).toBeGreaterThan(0);
};

export const useWorkspace = (service: SpawnedService, name: string) => {
  const { id, apiKey, members } = service.workspace(name);
  const path = `/v1/workspaces/${id}`;

  /** Calls the API, by default as the first member; fails if the call is refused. */
  const call = async <Body>(method: string, suffix: string, body?: unknown, member = 0): Promise<Body> => {
    const answer = await service.call(method, `${path}${suffix}`, {
      as: members[member]!.token,
      ...(body === undefined ? {} : { body }),
    });
    expect(answer, `${method} ${suffix}`).toMatchObject({ status: expect.toBeOneOf([200, 201, 204]) as number });
    return answer.body as Body;
  };

  return {
    id,
    apiKey,
    members,
    call,
    send: (event: object) => service.call("POST", "/v1/events", { as: apiKey, body: event }),
    readEvent: (eventId: string) => call<EventView>("GET", `/events/${eventId}`),
    /** Creates a rule that notifies members on these devices. `indexes`: the positions of the members. */
    tell: async (eventKey: string, indexes: number[], devices: readonly string[], rule: object = {}): Promise<void> => {
      const group = await call<{ id: string }>("POST", "/groups", { name: `for ${eventKey}` });
      for (const index of indexes) {
        await call("POST", `/groups/${group.id}/members`, { userId: members[index]!.userId });
        for (const device of devices)
          await call("POST", "/devices", { token: `${device}-${members[index]!.name}`, platform: "ios" }, index);
      }
      await call("POST", "/routing-rules", {
        name: `tell of ${eventKey}`,
        eventKey,
        targets: [{ type: "group", groupId: group.id }],
        ...rule,
      });
    },
  };
};

export const newEvent = (event: string, more: object = {}) => ({
  event,
  title: `Title of ${event}`,
  body: "Body",
  ...more,
});
export const readInbox = async (service: SpawnedService) =>
  ((await service.control("GET", "/inbox")) as Inbox).messages;
export type { SpawnedService };
