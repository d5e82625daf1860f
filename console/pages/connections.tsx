import { definePage, type PageContext, type StatusText, type ViewProps } from "../app/page.tsx";
import { NEW, setQuery } from "../app/router.ts";
import type { Undoable } from "../app/status.ts";
import type { Answers } from "../app/types.ts";
import { Action } from "../parts/action.tsx";
import { DeliveryState } from "../parts/delivery-state.tsx";
import { OpenButton } from "../parts/needs.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { createNewButton, SearchableList } from "../parts/searched.tsx";
import { texts } from "../page-texts/connections.ts";
import { ConnectionForm, type SaveActions, type Selectable } from "./connections/connection-form.tsx";
import { LinkAccountQuestion, UnlinkAccount } from "./connections/slack-account.tsx";

type Connection = Answers["Connection"];
type Data = { connections: Connection[]; selectable: Selectable; members: Answers["Member"][] };

/** Names the rules and groups whose events a connection gets, or the groups that a user group follows. */
const describeSelection = ({ kind, ruleIds, groupIds }: Connection, { rules, groups }: Selectable): string => {
  if (ruleIds === null && groupIds === null) return texts.connections.everything;
  const listNames = (ids: readonly string[], all: readonly { id: string; name: string }[]): string[] =>
    ids.map((id) => all.find((one) => one.id === id)?.name ?? texts.connections.gone);
  const names = [...listNames(ruleIds ?? [], rules), ...listNames(groupIds ?? [], groups)].join(", ");
  return kind === "slack_user_group" ? texts.connections.follows(names) : names;
};

/** Shows the members of the Slack user group, and people on call without a linked account. */
const FollowedMembers = ({ follows, members }: Pick<Connection, "follows"> & Pick<Data, "members">) => {
  const words = texts.connections;
  if (follows === null) return <span class="soft">{words.notYet}</span>;
  const joinNames = (ids: readonly string[]): string =>
    ids.map((id) => members.find(({ userId }) => userId === id)?.name ?? words.gone).join(", ");
  const { userIds, unlinkedIds, kept } = follows;
  return (
    <>
      <span>{words.inIt(userIds.length === 0 ? words.nobody : joinNames(userIds))}</span>
      {kept !== null && <span class={kept === "nobody_linked" ? "status-failed" : "soft"}>{words.kept[kept]}</span>}
      {unlinkedIds.length > 0 && <span class="status-failed">{words.unlinked(joinNames(unlinkedIds))}</span>}
    </>
  );
};

const ConnectionRow = ({ connection, data, context, refresh }: ViewProps<Data> & { connection: Connection }) => {
  const { api } = context;
  const { id, name, kind, channel, userGroup, host, paused } = connection;
  const words = texts.connections;
  const path = { connectionId: id };
  const testConnection = async (): Promise<StatusText> => {
    const { delivered, code } = await api("connections/test-connection", { path });
    await refresh();
    if (!delivered) return words.notTested(code);
    return kind === "slack_user_group" ? words.broughtUpToDate : words.tested;
  };
  const setPaused = (isPaused: boolean) => api("connections/update-connection", { path, body: { paused: isPaused } });
  const togglePaused = async (): Promise<Undoable> => {
    await setPaused(!paused);
    await refresh();
    return { message: paused ? words.resumed(name) : words.paused(name), undo: () => setPaused(paused) };
  };
  const deleteConnection = async (): Promise<StatusText> => {
    await api("connections/delete-connection", { path });
    setQuery({ edit: undefined });
    await refresh();
    return words.deleted(name);
  };
  return (
    <li tabIndex={-1} data-row>
      <strong>{name}</strong>
      <span class="soft address">
        {words.short[kind]} {channel ?? userGroup ?? host}
      </span>
      <span class="facts">
        <span>{describeSelection(connection, data.selectable)}</span>
        {kind === "slack_user_group" && <FollowedMembers follows={connection.follows} members={data.members} />}
        <DeliveryState {...connection} texts={texts.connections} />
      </span>
      <span class="acts">
        <Action label={`${words.test} ${name}`} action={testConnection}>
          {words.test}
        </Action>
        <OpenButton label={texts.editOf(name)} onClick={() => setQuery({ edit: id })}>
          {texts.edit}
        </OpenButton>
        <Action label={`${paused ? words.resume : words.pause} ${name}`} action={togglePaused}>
          {paused ? words.resume : words.pause}
        </Action>
        <Confirm
          text={words.delete}
          label={words.deleteOf(name)}
          question={words.deleteQuestion(name)}
          action={deleteConnection}
        />
      </span>
    </li>
  );
};

const EditedConnection = ({ data: { connections, selectable }, context, refresh }: ViewProps<Data>) => {
  const { api, query } = context;
  const asked = query().get("edit");
  const connection = connections.find(({ id }) => id === asked);
  if (asked !== NEW && connection === undefined) return null;
  const closeForm = (): void => setQuery({ edit: undefined });
  const finishEditing = async (name: string): Promise<StatusText> => {
    closeForm();
    await refresh();
    return texts.connections.saved(name);
  };
  const save: SaveActions = {
    create: async (body) => {
      await api("connections/create-connection", { body });
      return finishEditing(body.name);
    },
    change: async (body, name) => {
      if (connection !== undefined) {
        const { id: connectionId, version } = connection;
        await api("connections/update-connection", { path: { connectionId }, body, version });
      }
      return finishEditing(name);
    },
  };
  return <ConnectionForm key={asked} connection={connection} selectable={selectable} save={save} close={closeForm} />;
};

const ConnectionsView = (props: ViewProps<Data>) => (
  <>
    <LinkAccountQuestion context={props.context} />
    <EditedConnection {...props} />
    <SearchableList
      items={props.data.connections}
      table="table-webhooks"
      textsOf={({ name, channel, userGroup, host }) => [name, channel, userGroup, host]}
      empty={texts.connections.empty}
    >
      {(connection) => <ConnectionRow key={connection.id} connection={connection} {...props} />}
    </SearchableList>
    <UnlinkAccount context={props.context} />
  </>
);

const loadConnections = async ({ api }: PageContext): Promise<Data> => {
  const [connections, rules, groups, members] = await Promise.all([
    api("connections/list-connections", {}),
    api("routing-rules/list-routing-rules", {}),
    api("groups/list-groups", {}),
    api("members/list-members", {}),
  ]);
  return { connections, selectable: { rules, groups }, members };
};

export const page = definePage<Data>({
  heading: texts.pages.connections,
  load: loadConnections,
  everySeconds: 30,
  needs: "manager",
  Actions: createNewButton(texts.connections.newConnection),
  View: ConnectionsView,
});
