import { locale } from "../../app/language.ts";
import type { PageContext, StatusText } from "../../app/page.tsx";
import { setQuery } from "../../app/router.ts";
import type { Answers } from "../../app/types.ts";
import { Action } from "../../parts/action.tsx";
import { Form, SelectField, TextField, useFields } from "../../parts/form.tsx";
import type { MemberRole } from "../../parts/needs.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { texts as all } from "../../page-texts/people.ts";
import { parseAddresses } from "./addresses.ts";
import { roleOptions } from "./roles.ts";

const { invitations: texts } = all;

type Invitation = Answers["Invitation"];

const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });

/** The pause before the list is read again, to show invitations that were sent or accepted elsewhere. */
const LOOK_SECONDS = 30;

const closeForm = (): void => setQuery({ edit: undefined });

export const InviteForm = ({ api, sent }: { api: PageContext["api"]; sent: () => void }) => {
  const { values, set, field } = useFields<{ email: string; role: MemberRole; groupId: string }>({
    email: "",
    role: "manager",
    groupId: "",
  });
  const { email, role, groupId } = values;
  const groups = useResource(() => api("groups/list-groups", {}), LOOK_SECONDS, "groups");
  const options = [
    ["", texts.noGroup] as const,
    ...(groups?.kind === "ready" ? groups.data.map(({ id, name }) => [id, name] as const) : []),
  ];
  const invitePeople = async (): Promise<StatusText> => {
    const addresses = parseAddresses(email);
    const groupIds = groupId === "" ? [] : [groupId];
    const isMailed: boolean[] = [];
    try {
      for (const [index, address] of addresses.entries()) {
        // The addresses before the refused address are already invited.
        set({ email: addresses.slice(index).join(", ") });
        const { mailed } = await api("invitations/create-invitation", { body: { email: address, role, groupIds } });
        isMailed.push(mailed);
      }
    } finally {
      sent();
    }
    closeForm();
    const [first = ""] = addresses;
    const allMailed = !isMailed.includes(false);
    return addresses.length === 1 ? texts.sent(first, allMailed) : texts.sentAll(addresses.length, allMailed);
  };
  return (
    <section class="panel" aria-label={texts.invite}>
      <Form send={invitePeople} submit={texts.send} fields={["email", "role", "groupIds"]} cancel={closeForm}>
        <TextField label={texts.email} hint={texts.lead} {...field("email")} autoFocus />
        <SelectField label={all.roles.role} hint={all.roles.may[role]} options={roleOptions} {...field("role")} />
        <SelectField label={texts.group} options={options} {...field("groupId", "groupIds")} />
      </Form>
    </section>
  );
};

type InvitationProps = Pick<PageContext, "api"> & { invitation: Invitation; refresh: () => void };

const InvitationRow = ({ invitation, api, refresh }: InvitationProps) => {
  const resendInvitation = async (): Promise<StatusText> => {
    const { email, role, groupIds } = invitation;
    const { mailed } = await api("invitations/create-invitation", { body: { email, role, groupIds } });
    refresh();
    return texts.sent(email, mailed);
  };
  const deleteInvitation = async (): Promise<StatusText> => {
    await api("invitations/delete-invitation", { path: { invitationId: invitation.id } });
    refresh();
    return texts.takenBack(invitation.email);
  };
  return (
    <li tabIndex={-1} data-row>
      <strong>{invitation.email}</strong>
      <span class="soft">{texts.until(day.format(Date.parse(invitation.expiresAt)))}</span>
      <span class="soft">{all.roles.names[invitation.role]}</span>
      <span class="acts">
        <Action action={resendInvitation} label={`${texts.again}: ${invitation.email}`}>
          {texts.again}
        </Action>
        <Confirm
          text={texts.takeBack}
          label={`${texts.takeBack}: ${invitation.email}`}
          question={texts.takeBackQuestion(invitation.email)}
          action={deleteInvitation}
        />
      </span>
    </li>
  );
};

/** Lists the open invitations. `turn`: changes whenever somebody is invited on this page. */
export const InvitationList = ({
  api,
  turn,
  refresh,
}: {
  api: PageContext["api"];
  turn: number;
  refresh: () => void;
}) => {
  const state = useResource(() => api("invitations/list-invitations", {}), LOOK_SECONDS, `invitations ${turn}`);
  if (state?.kind !== "ready" || state.data.length === 0) return null;
  return (
    <section aria-labelledby="invited">
      <h2 id="invited">{texts.open}</h2>
      <ul class="rows table table-people table-invited">
        {state.data.map((one) => (
          <InvitationRow key={one.id} invitation={one} api={api} refresh={refresh} />
        ))}
      </ul>
    </section>
  );
};
