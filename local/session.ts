import { WorkspaceId } from "../core/domain/basics/ids.ts";
import * as v from "valibot";

export const seededWorkspace = {
  id: WorkspaceId,
  name: v.string(),
  apiKey: v.string(),
  plan: v.object({ monthlyEvents: v.number(), eventsPerMinute: v.number(), burst: v.number() }),
};

const Member = v.object({ userId: v.string(), name: v.string(), email: v.string(), token: v.string() });

/** What tools need to use the running service: the content of `session.json`. */
export const Session = v.object({
  baseUrl: v.string(),
  console: v.string(),
  signIn: v.string(),
  workspaces: v.array(v.object({ ...seededWorkspace, members: v.array(Member) })),
  outsider: Member,
  fcm: v.object({ inboxUrl: v.string() }),
  /** `endpointPrefix`: the start of browsers' push endpoints. `POST <inboxUrl>/keys` creates a browser's keys. */
  webPush: v.object({ endpointPrefix: v.string(), inboxUrl: v.string() }),
  /** `POST <inboxUrl>/<name>` is a webhook's receiver; `GET` lists what the receiver accepted. */
  hooks: v.object({ inboxUrl: v.string() }),
  /** Lists the messages, oldest first. */
  mail: v.object({ inboxUrl: v.string() }),
  /** Lists the messages, oldest first. */
  phone: v.object({ inboxUrl: v.string() }),
  /** `POST <inboxUrl>/press` presses a message's button. */
  slack: v.object({ inboxUrl: v.string() }),
  /** `GET <accountsUrl>` lists the accounts; `PUT` and `DELETE <accountsUrl>/<sub>` change an account. */
  sso: v.optional(v.object({ url: v.string(), issuer: v.string(), clientId: v.string(), accountsUrl: v.string() })),
  machines: v.array(
    v.object({ name: v.string(), clientId: v.string(), clientSecret: v.string(), tokenUrl: v.string() }),
  ),
  /** `POST <controlUrl>/clock` moves the service's clock; `POST <controlUrl>/tick` runs its schedules. */
  meters: v.object({ url: v.string(), controlUrl: v.string() }),
  /** Direct access to the table, such as for a benchmark that fills a workspace. Direct access is not metered. */
  table: v.object({ endpoint: v.string(), name: v.string(), accessKeyId: v.string() }),
  processes: v.object({ runtime: v.number(), dynamodb: v.number() }),
});
export type Session = v.InferOutput<typeof Session>;
export type SessionWorkspace = Session["workspaces"][number];
