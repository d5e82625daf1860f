import { useState } from "preact/hooks";
import { type Failure, failureOf } from "../app/failure.ts";
import { definePage, type ViewProps } from "../app/page.tsx";
import { NEW, setQuery } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { CheckField, Form, TextField } from "../parts/form.tsx";
import { Remove } from "../parts/remove.tsx";
import { Empty } from "../parts/states.tsx";
import { sentenceOf, texts } from "../texts.ts";

type Group = Answers["Group"];
type Data = {
  groups: Group[];
  members: Answers["Member"][];
  /** The group that the address opens, and its members. */
  opened: { id: string; userIds: ReadonlySet<string> } | typeof NEW | undefined;
};

type Props = ViewProps<Data>;

const NewGroup = ({ api }: Pick<Props["context"], "api">) => {
  const [name, setName] = useState("");
  const create = async (): Promise<string> => {
    const group = await api("groups/create-group", { body: { name } });
    setQuery({ open: group.id });
    return texts.groups.created(group.name);
  };
  return (
    <section class="panel" aria-label={texts.groups.newGroup}>
      <Form send={create} submit={texts.groups.save} fields={["name"]} cancel={() => setQuery({ open: undefined })}>
        <TextField label={texts.groups.name} name="name" value={name} onValue={setName} autoFocus />
      </Form>
    </section>
  );
};

/** The members of a group: each box is a change of its own. */
const Members = ({ group, userIds, props }: { group: Group; userIds: ReadonlySet<string>; props: Props }) => {
  const { data, context, refresh } = props;
  const { api } = context;
  const [failure, setFailure] = useState<Failure>();
  /** A box keeps its new state until its answer is there: the answer for another box must not turn it back. */
  const [turned, setTurned] = useState<ReadonlyMap<string, boolean>>(new Map());
  const turn = async (userId: string, isIn: boolean): Promise<void> => {
    setTurned((others) => new Map([...others, [userId, isIn]]));
    try {
      if (isIn) await api("groups/add-group-member", { path: { groupId: group.id }, body: { userId } });
      else await api("groups/remove-group-member", { path: { groupId: group.id, userId } });
      setFailure(undefined);
    } catch (error) {
      setFailure(failureOf(error));
    }
    await refresh();
    setTurned((others) => new Map([...others].filter(([other]) => other !== userId)));
  };
  const remove = async (): Promise<string> => {
    await api("groups/delete-group", { path: { groupId: group.id } });
    await refresh();
    return texts.groups.deleted(group.name);
  };
  return (
    <fieldset class="note">
      <legend>{texts.groups.members}</legend>
      {failure !== undefined && (
        <p class="wrong" role="alert">
          {sentenceOf(failure)}
        </p>
      )}
      <div class="checks">
        {data.members.map(({ userId, name }) => (
          <CheckField
            key={userId}
            label={name}
            checked={turned.get(userId) ?? userIds.has(userId)}
            onChecked={(isIn) => void turn(userId, isIn)}
          />
        ))}
      </div>
      <Remove text={texts.groups.delete} question={texts.groups.deleteQuestion(group.name)} remove={remove} />
    </fieldset>
  );
};

const GroupsView = (props: Props) => {
  const { groups, opened } = props.data;
  return (
    <>
      {opened === NEW && <NewGroup api={props.context.api} />}
      {groups.length === 0 && <Empty>{texts.groups.empty}</Empty>}
      <ul class="rows">
        {groups.map((group) => {
          const isOpen = opened !== NEW && opened?.id === group.id;
          return (
            <li key={group.id} tabIndex={-1} data-row>
              <strong>{group.name}</strong>
              <button
                type="button"
                aria-expanded={isOpen}
                aria-label={texts.editOf(group.name)}
                onClick={() => setQuery({ open: isOpen ? undefined : group.id })}
              >
                {texts.edit}
              </button>
              {isOpen && <Members group={group} userIds={opened.userIds} props={props} />}
            </li>
          );
        })}
      </ul>
    </>
  );
};

export const page = definePage<Data>({
  heading: texts.pages.groups,
  load: async ({ api, query }) => {
    const id = query().get("open");
    const [groups, members, inGroup] = await Promise.all([
      api("groups/list-groups", {}),
      api("members/list-members", {}),
      id === null || id === NEW ? [] : api("groups/list-group-members", { path: { groupId: id } }),
    ]);
    const userIds = new Set(inGroup.map(({ userId }) => userId));
    const opened = id === null || id === NEW ? (id ?? undefined) : { id, userIds };
    return { groups, members, opened };
  },
  everySeconds: 30,
  Actions: () => (
    <button type="button" class="main" onClick={() => setQuery({ open: NEW })}>
      {texts.groups.newGroup}
    </button>
  ),
  View: GroupsView,
});
