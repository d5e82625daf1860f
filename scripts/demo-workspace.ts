import * as v from "valibot";
import type { SpawnedService } from "../local/spawn.ts";

/**
 * Returns the first member, the workspace's API path (`root`), and the function `ask`. `ask` calls the API as the member (or
 * sends an event with the workspace's key), returns the parsed answer, and throws if the request fails.
 */
export const openDemoWorkspace = (service: SpawnedService, name = "Demo") => {
  const { id, apiKey, members } = service.workspace(name);
  const [member] = members;
  if (member === undefined) throw new Error(`the workspace ${name} has no members`);
  const ask = async <Body>(schema: v.GenericSchema<unknown, Body>, method: string, path: string, body?: object) => {
    const as = path === "/v1/events" ? apiKey : member.token;
    const answer = await service.call(method, path, { as, ...(body === undefined ? {} : { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}`);
    return v.parse(schema, answer.body);
  };
  return { root: `/v1/workspaces/${id}`, member, ask: ask };
};

export const Accepted = v.object({ eventId: v.string() });
export const Made = v.object({ id: v.string() });
