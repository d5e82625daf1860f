import { definePage, type ViewProps } from "../app/page.tsx";
import type { Answers } from "../app/types.ts";
import { Action } from "../parts/action.tsx";
import { Open } from "../parts/needs.tsx";
import { Searched } from "../parts/searched.tsx";
import { texts } from "../page-texts/rules.ts";

type Data = { rules: Answers["RoutingRule"][]; groups: Answers["Group"][] };

const NewRule = () => (
  <Open look="main" href="/rules/new">
    {texts.rules.newRule}
  </Open>
);

const RulesView = ({ data: { rules, groups }, context: { api }, refresh }: ViewProps<Data>) => {
  const nameOf = (groupId: string): string => groups.find(({ id }) => id === groupId)?.name ?? texts.groupGone;
  const turn = async ({ id, name, enabled }: Data["rules"][number]): Promise<string> => {
    await api("routing-rules/update-routing-rule", { path: { ruleId: id }, body: { enabled: !enabled } });
    await refresh();
    return enabled ? texts.rules.turnedOff(name) : texts.rules.turnedOn(name);
  };
  const groupsOf = ({ targets }: Data["rules"][number]): string[] => [
    ...new Set(targets.map(({ groupId }) => nameOf(groupId))),
  ];
  return (
    <Searched
      items={rules}
      table="table-rules"
      textsOf={(rule) => [rule.name, rule.eventKey, ...groupsOf(rule)]}
      empty={texts.rules.empty}
      next={<NewRule />}
    >
      {(rule) => (
        <li key={rule.id}>
          <a href={`/rules/${rule.id}`} data-row>
            {rule.name}
          </a>
          <code>{rule.eventKey}</code>
          <span class="soft">{texts.rules.conditions(rule.conditions.length)}</span>
          <span>{groupsOf(rule).join(", ")}</span>
          <span class={rule.enabled ? "status-acknowledged" : "soft"}>
            {rule.enabled ? texts.rules.on : texts.rules.off}
          </span>
          <span class="acts">
            <Action label={texts.rules.turn(rule.enabled, rule.name)} action={() => turn(rule)}>
              {rule.enabled ? texts.rules.turnOff : texts.rules.turnOnAgain}
            </Action>
          </span>
        </li>
      )}
    </Searched>
  );
};

export const page = definePage<Data>({
  heading: texts.pages.rules,
  load: async ({ api }) => {
    const [rules, groups] = await Promise.all([
      api("routing-rules/list-routing-rules", {}),
      api("groups/list-groups", {}),
    ]);
    return { rules, groups };
  },
  everySeconds: 30,
  Actions: ({ data: { rules } }) => (rules.length === 0 ? null : <NewRule />),
  needs: "manager",
  View: RulesView,
});
