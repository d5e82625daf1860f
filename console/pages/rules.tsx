import { definePage, type ViewProps } from "../app/page.tsx";
import type { Answers } from "../app/types.ts";
import { Action } from "../parts/action.tsx";
import { Open } from "../parts/needs.tsx";
import { Searched } from "../parts/searched.tsx";
import { Empty } from "../parts/states.tsx";
import { texts } from "../page-texts/rules.ts";

type Data = { rules: Answers["RoutingRule"][]; groups: Answers["Group"][] };

const RulesView = ({ data: { rules, groups }, context: { api }, refresh }: ViewProps<Data>) => {
  const nameOf = (groupId: string): string => groups.find(({ id }) => id === groupId)?.name ?? texts.groupGone;
  const turn = async ({ id, name, enabled }: Data["rules"][number]): Promise<string> => {
    await api("routing-rules/update-routing-rule", { path: { ruleId: id }, body: { enabled: !enabled } });
    await refresh();
    return enabled ? texts.rules.turnedOff(name) : texts.rules.turnedOn(name);
  };
  if (rules.length === 0)
    return (
      <Empty>
        <p>{texts.rules.empty}</p>
        <p>
          <Open look="main" href="/rules/new">
            {texts.rules.newRule}
          </Open>
        </p>
      </Empty>
    );
  const groupsOf = ({ targets }: Data["rules"][number]): string[] => [
    ...new Set(targets.map(({ groupId }) => nameOf(groupId))),
  ];
  return (
    <Searched items={rules} textsOf={(rule) => [rule.name, rule.eventKey, ...groupsOf(rule)]}>
      {(found) => (
        <ul class="rows table table-rules">
          {found.map((rule) => (
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
          ))}
        </ul>
      )}
    </Searched>
  );
};

const RulesActions = ({ data: { rules } }: ViewProps<Data>) =>
  rules.length === 0 ? null : (
    <Open look="main" href="/rules/new">
      {texts.rules.newRule}
    </Open>
  );

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
  Actions: RulesActions,
  needs: "manager",
  View: RulesView,
});
