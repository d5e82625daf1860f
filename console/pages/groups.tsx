import { useState } from "preact/hooks";
import { type Failure, failureOf } from "../app/failure.ts";
import { definePage, type ViewProps } from "../app/page.tsx";
import { setQuery } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { Action } from "../parts/action.tsx";
import { CheckField, Form, TextField } from "../parts/form.tsx";
import { Empty } from "../parts/states.tsx";
import { sentenceOf, texts } from "../texts.ts";

type Data = {
  groups: Answers["Group"][];
  members: Answers["Member"][];
  /** The group that the address opens, and who is in it. */
  opened: { id: string; userIds: ReadonlySet<string> } | undefined;
};

const GroupsView = ({ data: { groups, members, opened }, context: { api }, refresh }: ViewProps<Data>) => {
  const [naming, setNaming] = useState(false);
  const [name, setName] = useState("");
  const [failure, setFailure] = useState<Failure>();
  const create = async (): Promise<string> => {
    const group = await api("groups/create-group", { body: { name } });
    setNaming(false);
    setName("");
    setQuery({ open: group.id });
    return texts.groups.created(group.name);
  };
  const remove = async ({ id, name: gone }: Data["groups"][number]): Promise<string> => {
    await api("groups/delete-group", { path: { groupId: id } });
    await refresh();
    return texts.groups.deleted(gone);
  };
  const turn = async (groupId: string, userId: string, isIn: boolean): Promise<void> => {
    try {
      if (isIn) await api("groups/remove-group-member", { path: { groupId, userId } });
      else await api("groups/add-group-member", { path: { groupId }, body: { userId } });
      setFailure(undefined);
    } catch (error) {
      setFailure(failureOf(error));
    }
    await refresh();
  };
  return (
    <>
      {naming ? (
        <section class="panel" aria-label={texts.groups.newGroup}>
          <Form send={create} submit={texts.groups.save} fields={["name"]} cancel={() => setNaming(false)}>
            <TextField label={texts.groups.name} name="name" value={name} onValue={setName} autoFocus />
          </Form>
        </section>
      ) : (
        <p>
          <button type="button" class="main" onClick={() => setNaming(true)}>
            {texts.groups.newGroup}
          </button>
        </p>
      )}
      {groups.length === 0 && <Empty>{texts.groups.empty}</Empty>}
      <ul class="rows">
        {groups.map((group) => (
          <li key={group.id} tabIndex={-1} data-row>
            <strong>{group.name}</strong>
            <button
              type="button"
              aria-expanded={opened?.id === group.id}
              aria-label={texts.editOf(group.name)}
              onClick={() => setQuery({ open: opened?.id === group.id ? undefined : group.id })}
            >
              {texts.edit}
            </button>
            {opened?.id === group.id && (
              <fieldset class="note">
                <legend>{texts.groups.members}</legend>
                {failure !== undefined && (
                  <p class="wrong" role="alert">
                    {sentenceOf(failure)}
                  </p>
                )}
                {members.map(({ userId, name: member }) => (
                  <CheckField
                    key={userId}
                    label={member}
                    checked={opened.userIds.has(userId)}
                    onChecked={() => void turn(group.id, userId, opened.userIds.has(userId))}
                  />
                ))}
                <Action look="danger" action={() => remove(group)}>
                  {texts.groups.delete}
                </Action>
              </fieldset>
            )}
          </li>
        ))}
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
      id === null ? [] : api("groups/list-group-members", { path: { groupId: id } }),
    ]);
    const userIds = new Set(inGroup.map(({ userId }) => userId));
    return { groups, members, opened: id === null ? undefined : { id, userIds } };
  },
  everySeconds: 30,
  View: GroupsView,
});
