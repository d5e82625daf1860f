import { formatClockTime } from "../app/clock.ts";
import { definePage, type ViewProps } from "../app/page.tsx";
import { listHumanMembers } from "../app/people.ts";
import type { Answers } from "../app/types.ts";
import { PersonDiscs } from "../parts/discs.tsx";
import { LinkList } from "../parts/named.tsx";
import { OpenButton } from "../parts/needs.tsx";
import { ReachMark } from "../parts/reach-mark.tsx";
import { WhoIsOnCall } from "../parts/who-is-on-call.tsx";
import { texts } from "../page-texts/groups.ts";

type Data = {
  group: Answers["Group"];
  people: Answers["ListedMember"][];
  members: Answers["ListedMember"][];
  now: Answers["GroupOnCallNow"] | undefined;
  rules: Answers["RoutingRule"][];
  policies: Answers["EscalationPolicy"][];
};

const GroupView = ({ data: { group, people, members, now, rules, policies } }: ViewProps<Data>) => {
  const next = now?.next ?? null;
  return (
    <>
      <section aria-labelledby="on-call">
        <h2 id="on-call">{texts.pages.onCall}</h2>
        {now?.hasSchedule === true ? (
          <div class="facts">
            <PersonDiscs people={now.onCall} colourOrder={people} />
            <WhoIsOnCall onCall={now.onCall} nobody={texts.groups.nobodyOnCall} />
            {next !== null && (
              <span class="soft">
                {texts.groups.thenOnCall(
                  formatClockTime(Date.parse(next.at)),
                  next.onCall.map(({ name }) => name),
                )}
              </span>
            )}
          </div>
        ) : (
          <p class="soft">{texts.groups.noSchedule}</p>
        )}
        <p>
          <a href={`/on-call/${group.id}`}>{texts.groups.schedule}</a>
        </p>
      </section>
      <section aria-labelledby="members">
        <h2 id="members">{texts.groups.members}</h2>
        {members.length === 0 ? (
          <p class="status-failed">{texts.groups.noMembers}</p>
        ) : (
          <ul class="rows">
            {members.map((member) => (
              <li key={member.userId}>
                <span class="facts">
                  <PersonDiscs people={[member]} colourOrder={people} />
                  <a href={`/people/${member.userId}`}>{member.name === "" ? member.userId : member.name}</a>
                </span>
                <ReachMark {...member} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <LinkList heading={texts.pages.rules} to="/rules" items={rules} empty={texts.groups.noRules} />
      <LinkList heading={texts.pages.escalation} to="/escalation" items={policies} empty={texts.groups.noPolicies} />
    </>
  );
};

const EditGroup = ({ data: { group } }: ViewProps<Data>) => (
  <OpenButton href={`/groups?open=${group.id}`} label={texts.editOf(group.name)}>
    {texts.edit}
  </OpenButton>
);

export const page = definePage<Data>({
  heading: texts.pages.groups,
  headingOf: ({ group }) => group.name,
  load: async ({ api, params }) => {
    const groupId = params["id"] ?? "";
    const [group, inGroup, people, now, rules, policies] = await Promise.all([
      api("groups/get-group", { path: { groupId } }),
      api("groups/list-group-members", { path: { groupId } }),
      listHumanMembers(api),
      api("on-call/list-on-call-now", {}),
      api("routing-rules/list-routing-rules", {}),
      api("escalation-policies/list-escalation-policies", {}),
    ]);
    return {
      group,
      people,
      members: people.filter(({ userId }) => inGroup.some((one) => one.userId === userId)),
      now: now.find((one) => one.groupId === groupId),
      rules: rules.filter(({ targets }) => targets.some((one) => one.groupId === groupId)),
      policies: policies.filter(({ steps }) =>
        steps.some(({ targets }) => targets.some((one) => one.type === "group" && one.groupId === groupId)),
      ),
    };
  },
  everySeconds: 60,
  Actions: EditGroup,
  View: GroupView,
});
