import { useState } from "preact/hooks";
import { definePage, type ViewProps } from "../app/page.tsx";
import { NEW, setQuery } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { Form, TextField } from "../parts/form.tsx";
import { ReachMark } from "../parts/marks.tsx";
import { Remove } from "../parts/remove.tsx";
import { texts } from "../texts.ts";

type Member = Answers["ListedMember"];
type Props = ViewProps<Member[]>;

const close = (): void => setQuery({ edit: undefined });

const PersonForm = ({ member, props: { context, refresh } }: { member: Member | undefined; props: Props }) => {
  const [userId, setUserId] = useState(member?.userId ?? "");
  const [name, setName] = useState(member?.name ?? "");
  const [email, setEmail] = useState(member?.email ?? "");
  const send = async (): Promise<string> => {
    const written = await context.api("members/add-member", { body: { userId: userId.trim(), name, email } });
    await refresh();
    close();
    return member === undefined ? texts.people.added(written.name) : texts.people.saved(written.name);
  };
  return (
    <section class="panel" aria-label={member?.name ?? texts.people.newPerson}>
      <Form send={send} submit={texts.people.save} fields={["userId", "name", "email"]} cancel={close}>
        {member !== undefined ? (
          <p class="soft">
            {texts.people.userId} <code>{userId}</code>
          </p>
        ) : (
          <TextField
            label={texts.people.userId}
            name="userId"
            hint={texts.people.userIdHint}
            value={userId}
            onValue={setUserId}
            autoFocus
          />
        )}
        <TextField
          label={texts.people.name}
          name="name"
          value={name}
          onValue={setName}
          autoFocus={member !== undefined}
        />
        <TextField label={texts.people.email} name="email" type="email" value={email} onValue={setEmail} />
      </Form>
    </section>
  );
};

const Person = ({ member, props }: { member: Member; props: Props }) => {
  const { userId, name, email } = member;
  const isOpen = props.context.query().get("edit") === userId;
  const remove = async (): Promise<string> => {
    await props.context.api("members/remove-member", { path: { userId } });
    await props.refresh();
    return texts.people.removed(name);
  };
  return (
    <li tabIndex={-1} data-row>
      <strong>{name === "" ? userId : name}</strong>
      <span>{email}</span>
      <ReachMark of={member} />
      <button
        type="button"
        aria-expanded={isOpen}
        aria-label={texts.editOf(name)}
        onClick={() => setQuery({ edit: isOpen ? undefined : userId })}
      >
        {texts.edit}
      </button>
      <Remove
        text={texts.remove}
        label={`${texts.remove} ${name}`}
        question={texts.people.removeQuestion(name)}
        remove={remove}
      />
      {isOpen && <PersonForm member={member} props={props} />}
    </li>
  );
};

const PeopleView = (props: Props) => (
  <>
    {props.context.query().get("edit") === NEW && <PersonForm member={undefined} props={props} />}
    <ul class="rows">
      {props.data.map((member) => (
        <Person key={member.userId} member={member} props={props} />
      ))}
    </ul>
  </>
);

export const page = definePage<Member[]>({
  heading: texts.pages.people,
  load: ({ api }) => api("members/list-members", {}),
  everySeconds: 30,
  Actions: () => (
    <button type="button" class="main" onClick={() => setQuery({ edit: NEW })}>
      {texts.people.newPerson}
    </button>
  ),
  View: PeopleView,
});
