import { useState } from "preact/hooks";
import { isMachine } from "../app/people.ts";
import { definePage, type StatusText, type ViewProps } from "../app/page.tsx";
import { NEW, setQuery } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { CheckField, Form, SelectField, TextField, useFields } from "../parts/form.tsx";
import { ReachMark } from "../parts/reach-mark.tsx";
import { Menu } from "../parts/menu.tsx";
import { OpenButton, useMissingRole } from "../parts/needs.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { createNewButton, SearchableList } from "../parts/searched.tsx";
import { texts } from "../page-texts/people.ts";
import { listCoverageLosses } from "./groups/losses.ts";
import { ColleagueDevices } from "./people/colleague-devices.tsx";
import { InvitationList, InviteForm } from "./people/invited.tsx";
import { describeLeftovers } from "./people/leftovers.ts";
import { machineRoleOptions, roleOptions } from "./people/roles.ts";

type Member = Answers["ListedMember"];
type Props = ViewProps<Member[]>;

const closeForm = (): void => setQuery({ edit: undefined });

const PersonForm = ({ member, props: { context, refresh } }: { member: Member; props: Props }) => {
  const { userId, name, email, role } = member;
  const { values, field } = useFields({ name, email, role });
  const isProgram = isMachine(userId);
  const savePerson = async (): Promise<StatusText> => {
    const written = isProgram
      ? await context.api("members/update-member", { path: { userId }, body: { role: values.role } })
      : await context.api("members/add-member", { body: { userId, ...values } });
    await refresh();
    closeForm();
    return texts.people.saved(written.name);
  };
  return (
    <section class="panel" aria-label={member.name}>
      <Form send={savePerson} submit={texts.people.save} fields={["name", "email", "role"]} cancel={closeForm}>
        <p class="soft">
          {isProgram ? texts.people.machineId : texts.people.userId} <code>{userId}</code>
        </p>
        {!isProgram && (
          <>
            <TextField label={texts.people.name} {...field("name")} autoFocus />
            <TextField label={texts.people.email} type="email" {...field("email")} />
          </>
        )}
        <SelectField
          label={texts.roles.role}
          hint={texts.roles.may[values.role]}
          options={isProgram ? machineRoleOptions : roleOptions}
          {...field("role")}
        />
      </Form>
    </section>
  );
};

const PersonRow = ({ member, props }: { member: Member; props: Props }) => {
  const { userId, name, email, role } = member;
  const mayNotRead = useMissingRole("manager") !== undefined;
  const mayNotRevoke = mayNotRead;
  const isProgram = isMachine(userId);
  const isMe = props.context.me === userId;
  const isOpen = props.context.query().get("edit") === userId;
  const [keys, setKeys] = useState<readonly string[]>([]);
  const [revokes, setRevokes] = useState(true);
  const [isInUse, setInUse] = useState(false);
  const removePerson = async (): Promise<StatusText> => {
    // Forces the removal only if the question named the policies. The service refuses the removal if policies were added later.
    const query = { ...(revokes ? { revoke: "keys,feeds" } : {}), ...(isInUse ? { force: "true" } : {}) };
    await props.context.api("members/remove-member", { path: { userId }, query });
    await props.refresh();
    return texts.people.removed(name);
  };
  const createRemovalQuestion = async (): Promise<string> => {
    const { api } = props.context;
    const detail = await api("members/get-member", { path: { userId } });
    setKeys(detail.made.keys.map((key) => key.name));
    setRevokes(!mayNotRevoke);
    setInUse(detail.policies.length > 0);
    const ask = isMe ? texts.people.leaveQuestion : texts.people.removeQuestion;
    return ask(name, [
      ...(await listCoverageLosses(api, await api("groups/list-groups", {}), userId)),
      ...describeLeftovers(detail),
    ]);
  };
  return (
    <li>
      <a href={`/people/${userId}`} data-row>
        {name === "" ? userId : name}
      </a>
      <span class={isProgram ? "soft" : undefined}>{isProgram ? texts.people.machine : email}</span>
      <span class="soft">{texts.roles.names[role]}</span>
      {isProgram ? <span /> : <ReachMark {...member} />}
      <span class="acts">
        <OpenButton
          expanded={isOpen}
          label={texts.editOf(name)}
          onClick={() => setQuery({ edit: isOpen ? undefined : userId })}
        >
          {texts.edit}
        </OpenButton>
        <Menu look="menu" summary={texts.more} label={texts.people.moreOf(name === "" ? userId : name)}>
          <div class="menu-items">
            {!isMe && !isProgram && !mayNotRead && (
              <a
                class="button"
                href={`/notification-rules?of=${userId}`}
                aria-label={texts.people.ringsOf(name === "" ? userId : name)}
              >
                {texts.people.rings}
              </a>
            )}
            <Confirm
              text={isMe ? texts.people.leave : texts.remove}
              label={isMe ? texts.people.leave : texts.removeOf(name)}
              question={createRemovalQuestion}
              choice={
                <CheckField
                  label={texts.people.revoke(keys)}
                  checked={revokes}
                  disabled={mayNotRevoke}
                  onChecked={setRevokes}
                />
              }
              action={removePerson}
              role={isMe ? "viewer" : undefined}
            />
          </div>
        </Menu>
      </span>
      {isOpen && <PersonForm member={member} props={props} />}
      {isOpen && !isMe && !isProgram && <ColleagueDevices member={member} context={props.context} />}
    </li>
  );
};

const PeopleView = (props: Props) => {
  const { api, query } = props.context;
  const [turn, setTurn] = useState(0);
  const refresh = (): void => setTurn((before) => before + 1);
  const mayNotInvite = useMissingRole("owner") !== undefined;
  return (
    <>
      {query().get("edit") === NEW && <InviteForm api={api} sent={refresh} />}
      <SearchableList
        items={props.data}
        table="table-people"
        textsOf={({ userId, name, email, role }) => [
          name === "" ? userId : name,
          isMachine(userId) ? texts.people.machine : email,
          texts.roles.names[role],
        ]}
      >
        {(member) => <PersonRow key={member.userId} member={member} props={props} />}
      </SearchableList>
      {!mayNotInvite && <InvitationList api={api} turn={turn} refresh={refresh} />}
    </>
  );
};

export const page = definePage<Member[]>({
  heading: texts.pages.people,
  load: ({ api }) => api("members/list-members", {}),
  everySeconds: 30,
  Actions: createNewButton(texts.invitations.invite),
  needs: "owner",
  View: PeopleView,
});
