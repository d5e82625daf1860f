import { useState } from "preact/hooks";
import { formatClockTime } from "../app/clock.ts";
import { type Failure, toFailureOrRethrow, undefinedIfNotFound } from "../app/failure.ts";
import { definePage, type StatusText, type ViewProps } from "../app/page.tsx";
import { listHumanMembers } from "../app/people.ts";
import { NEW, setQuery } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { Action } from "../parts/action.tsx";
import { PersonDiscs } from "../parts/discs.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { CheckField, Form, TextField } from "../parts/form.tsx";
import { useMissingRole } from "../parts/needs.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { createNewButton, SearchableList } from "../parts/searched.tsx";
import { ActionFailure } from "../parts/states.tsx";
import { WhoIsOnCall } from "../parts/who-is-on-call.tsx";
import { texts } from "../page-texts/groups.ts";
import { listCoverageLosses } from "./groups/losses.ts";

type Group = Answers["Group"];
type Data = {
  groups: Group[];
  members: Answers["Member"][];
  now: Answers["GroupOnCallNow"][];
  opened: { id: string; userIds: ReadonlySet<string> } | undefined;
  isGone: boolean;
};

type Props = ViewProps<Data>;

const NewGroup = ({ api }: Pick<Props["context"], "api">) => {
  const [name, setName] = useState("");
  const addGroup = async (): Promise<StatusText> => {
    const group = await api("groups/create-group", { body: { name } });
    setQuery({ open: group.id });
    return texts.groups.created(group.name);
  };
  return (
    <section class="panel" aria-label={texts.groups.newGroup}>
      <Form send={addGroup} submit={texts.groups.save} fields={["name"]} cancel={() => setQuery({ open: undefined })}>
        <TextField label={texts.groups.name} name="name" value={name} onValue={setName} autoFocus />
      </Form>
    </section>
  );
};

/** Shows a form that renames a group. References to the group stay valid, because they contain the group's id. */
const RenameForm = ({ group, props: { context, refresh } }: { group: Group; props: Props }) => {
  const [name, setName] = useState(group.name);
  const renameGroup = async (): Promise<StatusText> => {
    const body = { name };
    await context.api("groups/update-group", { path: { groupId: group.id }, body });
    setQuery({ open: undefined });
    await refresh();
    return texts.groups.renamed(name);
  };
  return (
    <Form send={renameGroup} submit={texts.groups.rename} fields={["name"]}>
      <TextField label={texts.groups.name} name="name" value={name} onValue={setName} />
    </Form>
  );
};

/** Shows a checkbox per person. Each click is saved at once. */
const MemberCheckboxes = ({ group, userIds, props }: { group: Group; userIds: ReadonlySet<string>; props: Props }) => {
  const { data, context, refresh } = props;
  const { api } = context;
  const mayNot = useMissingRole() !== undefined;
  const [failure, setFailure] = useState<Failure>();
  /** The new states of checkboxes whose requests are running, so that answers to other requests do not reset the checkboxes. */
  const [turned, setTurned] = useState<ReadonlyMap<string, boolean>>(new Map());
  const setMembership = async (userId: string, isMember: boolean): Promise<void> => {
    setTurned((others) => new Map([...others, [userId, isMember]]));
    try {
      if (isMember) await api("groups/add-group-member", { path: { groupId: group.id }, body: { userId } });
      else await api("groups/remove-group-member", { path: { groupId: group.id, userId } });
      setFailure(undefined);
    } catch (error) {
      setFailure(toFailureOrRethrow(error));
    }
    await refresh();
    setTurned((others) => new Map([...others].filter(([other]) => other !== userId)));
  };
  const [leaving, setLeaving] = useState<{ userId: string; name: string; losses: readonly string[] }>();
  const setMembershipOrAsk = async ({ userId, name }: Data["members"][number], isMember: boolean): Promise<void> => {
    // The person is removed without a question if nothing would be lost, or if the request for losses fails.
    const losses = isMember ? [] : await listCoverageLosses(api, [group], userId).catch(() => []);
    if (losses.length > 0) setLeaving({ userId, name, losses });
    else await setMembership(userId, isMember);
  };
  const removeLeavingMember = async (): Promise<undefined> => {
    if (leaving !== undefined) await setMembership(leaving.userId, false);
    setLeaving(undefined);
  };
  const [isInUse, setInUse] = useState(false);
  const createDeletionQuestion = async (): Promise<string> => {
    const policies = (await api("escalation-policies/list-escalation-policies", {})).filter(({ steps }) =>
      steps.some(({ targets }) => targets.some((one) => one.type === "group" && one.groupId === group.id)),
    );
    setInUse(policies.length > 0);
    return texts.groups.deleteQuestion(
      group.name,
      policies.map(({ name }) => name),
    );
  };
  const deleteGroup = async (): Promise<StatusText> => {
    // Forces the deletion only if the question named the policies. The service refuses the deletion if policies were added later.
    const force = isInUse ? { query: { force: "true" } } : {};
    await api("groups/delete-group", { path: { groupId: group.id }, ...force });
    await refresh();
    return texts.groups.deleted(group.name);
  };
  return (
    <fieldset class="note">
      <legend>{texts.groups.members}</legend>
      <ActionFailure failure={failure} />
      <div class="checks">
        {data.members.map((member) => (
          <CheckField
            key={member.userId}
            label={member.name}
            disabled={mayNot}
            checked={leaving?.userId !== member.userId && (turned.get(member.userId) ?? userIds.has(member.userId))}
            onChecked={(isIn) => void setMembershipOrAsk(member, isIn)}
          />
        ))}
      </div>
      {leaving !== undefined && (
        <Dialog heading={texts.remove} close={() => setLeaving(undefined)}>
          <p>{texts.groups.removeQuestion(leaving.name, leaving.losses)}</p>
          <p class="buttons">
            <Action look="danger" action={removeLeavingMember}>
              {texts.remove}
            </Action>
          </p>
        </Dialog>
      )}
      <RenameForm group={group} props={props} />
      <Confirm text={texts.groups.delete} question={createDeletionQuestion} action={deleteGroup} />
    </fieldset>
  );
};

const OnCallNow = ({ duty, people }: { duty: Answers["GroupOnCallNow"] | undefined; people: Data["members"] }) => {
  if (duty?.hasSchedule !== true) return <span class="soft">{texts.groups.noSchedule}</span>;
  return (
    <span class="facts">
      <WhoIsOnCall onCall={duty.onCall} nobody={texts.groups.nobodyOnCall}>
        <PersonDiscs people={duty.onCall} colourOrder={people} />
        {texts.groups.onCallNow(
          duty.onCall.map(({ name }) => name),
          duty.next === null ? undefined : formatClockTime(Date.parse(duty.next.at)),
        )}
      </WhoIsOnCall>
    </span>
  );
};

const GroupsView = (props: Props) => {
  const { groups, opened } = props.data;
  // The open group is read from the URL, because the previous group must not be shown while the page loads.
  const asked = props.context.query().get("open");
  return (
    <>
      {asked === NEW && <NewGroup api={props.context.api} />}
      {props.data.isGone && (
        <p class="note warn" role="status">
          {texts.groups.gone}
        </p>
      )}
      <SearchableList items={groups} table="table-groups" textsOf={({ name }) => [name]} empty={texts.groups.empty}>
        {(group) => {
          const isOpen = opened !== undefined && opened.id === group.id && asked === group.id;
          return (
            <li key={group.id}>
              <a href={`/groups/${group.id}`} data-row dir="auto">
                {group.name}
              </a>
              <OnCallNow
                duty={props.data.now.find(({ groupId }) => groupId === group.id)}
                people={props.data.members}
              />
              <button
                type="button"
                aria-expanded={isOpen}
                aria-label={texts.editOf(group.name)}
                onClick={() => setQuery({ open: isOpen ? undefined : group.id })}
              >
                {texts.edit}
              </button>
              {isOpen && <MemberCheckboxes group={group} userIds={opened.userIds} props={props} />}
            </li>
          );
        }}
      </SearchableList>
    </>
  );
};

export const page = definePage<Data>({
  heading: texts.pages.groups,
  load: async ({ api, query }) => {
    const id = query().get("open");
    const [groups, members, now, inGroup] = await Promise.all([
      api("groups/list-groups", {}),
      listHumanMembers(api),
      api("on-call/list-on-call-now", {}),
      // Somebody else may have deleted the group.
      id === null || id === NEW
        ? undefined
        : undefinedIfNotFound(api("groups/list-group-members", { path: { groupId: id } })),
    ]);
    if (id === null || id === NEW) return { groups, members, now, opened: undefined, isGone: false };
    const opened = inGroup && { id, userIds: new Set(inGroup.map(({ userId }) => userId)) };
    return { groups, members, now, opened, isGone: inGroup === undefined };
  },
  everySeconds: 30,
  Actions: createNewButton(texts.groups.newGroup, { open: NEW }),
  needs: "manager",
  View: GroupsView,
});
