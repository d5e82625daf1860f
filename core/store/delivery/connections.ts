import type { AuditDeps, TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { CONNECTIONS_MAX } from "../../domain/basics/limits.ts";
import {
  Connection,
  type ConnectionInput,
  type ConnectionPatch,
  isChatChannel,
} from "../../domain/connection/connection.ts";
import {
  changeItem,
  createItem,
  listItems,
  buildNewItemFields,
  readItem,
  removeItem,
  type UpdateItem,
  type WritableCollection,
} from "../configuration/collection.ts";
import type { DeleteItem } from "../configuration/versioned.ts";
import { raiseRulesVersion } from "../events/control.ts";
import { startWatch } from "./watches.ts";
import { connectionKey, connectionPrefix, rulesPk } from "../keys.ts";

const connections = { pk: rulesPk, prefix: connectionPrefix, key: connectionKey, schema: Connection };
const writableConnections: WritableCollection<Connection> = {
  items: connections,
  kind: "connection",
  // A Teams workflow's URL is a secret, so the audit trail contains only its host.
  shown: ({ url, ...shown }) => ({ ...shown, ...(url === undefined ? {} : { host: new URL(url).host }) }),
  counted: { name: "connections", noun: "connections", max: CONNECTIONS_MAX },
  tellWorkers: raiseRulesVersion,
};

export const listConnections = (deps: TableDeps, ws: WorkspaceId): Promise<Connection[]> =>
  listItems(deps, connections, ws);

export const readConnection = (deps: TableDeps, ws: WorkspaceId, id: string): Promise<Connection | undefined> =>
  readItem(deps, connections, ws, id);

/** Creates a connection. For a Slack user group, first starts watching the people on call. */
export const createConnection = (deps: AuditDeps, ws: WorkspaceId, input: ConnectionInput): Promise<Connection> =>
  createItem(
    deps,
    writableConnections,
    { ...buildNewItemFields(deps, ws, "con"), ...input },
    { before: () => (isChatChannel(input) ? Promise.resolve() : startWatch(deps, ws)) },
  );

export const updateConnection: UpdateItem<Connection, ConnectionPatch> = (deps, ws, id, patch, expected) =>
  changeItem(deps, writableConnections, [ws, id], (connection) => ({ ...connection, ...patch }), { expected });

export const deleteConnection: DeleteItem = async (deps, ws, id, expected) =>
  (await removeItem(deps, writableConnections, [ws, id], { expected })) !== undefined;
