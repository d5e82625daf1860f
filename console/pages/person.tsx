import { formatClockTime } from "../app/clock.ts";
import { isMachine, listHumanMembers } from "../app/people.ts";
import { definePage, type ViewProps } from "../app/page.tsx";
import type { Answers } from "../app/types.ts";
import { PersonDiscs } from "../parts/discs.tsx";
import { LinkList } from "../parts/named.tsx";
import { OpenButton } from "../parts/needs.tsx";
import { ReachMark } from "../parts/reach-mark.tsx";
import { texts } from "../page-texts/people.ts";
import { Devices } from "./people/colleague-devices.tsx";

type Data = {
  person: Answers["MemberDetail"];
  people: Answers["ListedMember"][];
  /** Groups in which the person is on call now or next. */
  duty: Answers["GroupOnCallNow"][];
  rules: Answers["RoutingRule"][];
};

const isOnCall = (userId: string, onCall: readonly { userId: string }[] = []): boolean =>
  onCall.some((one) => one.userId === userId);

const PersonView = ({ data: { person, people, duty, rules }, context, refresh }: ViewProps<Data>) => {
  const listed = people.find(({ userId }) => userId === person.userId);
  return (
    <>
      <div class="facts">
        <PersonDiscs people={[person]} colourOrder={people} />
        <span>{isMachine(person.userId) ? texts.people.machine : person.email}</span>
        <span class="soft">{texts.roles.names[person.role]}</span>
        {listed !== undefined && <ReachMark {...listed} />}
      </div>
      {!isMachine(person.userId) && (
        <>
          <section aria-label={texts.pages.onCall}>
            <h2>{texts.pages.onCall}</h2>
            {duty.length === 0 ? (
              <p class="soft">{texts.people.noShifts}</p>
            ) : (
              <ul class="rows">
                {duty.map(({ groupId, groupName, onCall, next }) => {
                  const at = next === null ? undefined : formatClockTime(Date.parse(next.at));
                  return (
                    <li key={groupId}>
                      <a href={`/groups/${groupId}`}>{groupName}</a>
                      <span class={isOnCall(person.userId, onCall) ? "status-acknowledged" : "soft"}>
                        {isOnCall(person.userId, onCall) ? texts.people.onCallUntil(at) : texts.people.nextShift(at)}
                      </span>
                    </li>
                  );
                })}
              </ul>
            )}
          </section>
          <Devices member={person} devices={person.devices} api={context.api} changed={refresh} />
          <LinkList heading={texts.pages.groups} to="/groups" items={person.groups} empty={texts.people.noGroups} />
          <LinkList heading={texts.pages.rules} to="/rules" items={rules} empty={texts.people.noRules} />
        </>
      )}
    </>
  );
};

const EditPerson = ({ data: { person } }: ViewProps<Data>) => (
  <div class="buttons">
    {!isMachine(person.userId) && (
      <OpenButton role="manager" href={`/notification-rules?of=${person.userId}`}>
        {texts.people.rings}
      </OpenButton>
    )}
    <OpenButton href={`/people?edit=${person.userId}`} label={texts.editOf(person.name)}>
      {texts.edit}
    </OpenButton>
  </div>
);

export const page = definePage<Data>({
  heading: texts.pages.people,
  headingOf: ({ person: { name, userId } }) => (name === "" ? userId : name),
  load: async ({ api, params }) => {
    const userId = params["id"] ?? "";
    const [person, people, now, all] = await Promise.all([
      api("members/get-member", { path: { userId } }),
      listHumanMembers(api),
      api("on-call/list-on-call-now", {}),
      api("routing-rules/list-routing-rules", {}),
    ]);
    const groupIds = new Set(person.groups.map(({ id }) => id));
    return {
      person,
      people,
      duty: now.filter(({ onCall, next }) => isOnCall(userId, onCall) || isOnCall(userId, next?.onCall)),
      rules: all.filter(({ targets }) => targets.some(({ groupId }) => groupIds.has(groupId))),
    };
  },
  everySeconds: 60,
  Actions: EditPerson,
  View: PersonView,
});
