import { useRef } from "preact/hooks";
import { definePage, type StatusText, type ViewProps } from "../app/page.tsx";
import type { Undoable } from "../app/status.ts";
import type { Answers } from "../app/types.ts";
import { Action } from "../parts/action.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { useAction } from "../parts/doing.ts";
import { OpenButton } from "../parts/needs.tsx";
import { ProbeMark } from "../parts/probe-mark.tsx";
import { SearchableList } from "../parts/searched.tsx";
import { explainFailure } from "../texts.ts";
import { texts } from "../page-texts/rules.ts";
import { sortByChain, listMoves } from "./rule/chain.ts";
import { describeBrokenLink, type Probe } from "./rule/probe.ts";

type Rule = Answers["RoutingRule"];
type Data = { rules: Rule[]; groups: Answers["Group"][]; probes: readonly Probe[] };

const NewRule = () => (
  <OpenButton look="main" href="/rules/new">
    {texts.rules.newRule}
  </OpenButton>
);

type PlaceProps = { rule: Rule; chain: readonly Rule[]; move: (rule: Rule, to: number) => Promise<StatusText> };

const ChainPosition = ({ rule, chain, move }: PlaceProps) => {
  const place = chain.indexOf(rule);
  return (
    <>
      <span class="soft">{texts.rules.inChain(rule.chain ?? "", place + 1)}</span>
      {place > 0 && (
        <Action label={texts.rules.earlier(rule.name)} action={() => move(rule, place - 1)}>
          ↑
        </Action>
      )}
      {place < chain.length - 1 && (
        <Action label={texts.rules.later(rule.name)} action={() => move(rule, place + 1)}>
          ↓
        </Action>
      )}
    </>
  );
};

const BrokenLink = ({ probe }: { probe: Probe | undefined }) => {
  const said = describeBrokenLink(probe?.links ?? null);
  return said === undefined ? null : <p class="note">{said}</p>;
};

const RulesView = ({ data: { rules, groups, probes }, context: { api }, refresh }: ViewProps<Data>) => {
  const findGroupName = (groupId: string): string => groups.find(({ id }) => id === groupId)?.name ?? texts.groupGone;
  const updateRule = (ruleId: string, body: { enabled: boolean } | { position: number }) =>
    api("routing-rules/update-routing-rule", { path: { ruleId }, body });
  const toggleEnabled = async ({ id, name, enabled }: Rule): Promise<Undoable> => {
    await updateRule(id, { enabled: !enabled });
    await refresh();
    return {
      message: enabled ? texts.rules.turnedOff(name) : texts.rules.turnedOn(name),
      undo: () => updateRule(id, { enabled }),
    };
  };
  const findProbe = (rule: Rule): Probe | undefined => probes.find(({ id }) => id === rule.id);
  const listGroupNames = ({ targets }: Rule): string[] => [
    ...new Set(targets.map(({ groupId }) => findGroupName(groupId))),
  ];
  const ordered = sortByChain(rules);
  const chains = Map.groupBy(ordered, ({ chain }) => chain);
  const listRulesInChain = ({ chain }: Rule): Rule[] => chains.get(chain) ?? [];
  const moveRule = async (rule: Rule, targetIndex: number): Promise<StatusText> => {
    const row = document.activeElement?.closest("li");
    const pressed = document.activeElement;
    for (const { id, position } of listMoves(listRulesInChain(rule), rule.id, targetIndex))
      await updateRule(id, { position });
    await refresh();
    // Restores the focus, which browsers drop when a row moves.
    requestAnimationFrame(() => {
      const next = pressed?.isConnected === true ? pressed : row?.querySelector(".row-title button");
      if (next instanceof HTMLElement) next.focus();
    });
    return texts.rules.moved(rule.name, rule.chain ?? "", targetIndex + 1);
  };
  const [from, onto] = [useRef<Rule>(null), useRef<Rule>(null)];
  const { failure, run: drop } = useAction(async () => {
    if (from.current === null || onto.current === null) return undefined;
    return moveRule(from.current, listRulesInChain(onto.current).indexOf(onto.current));
  });
  const createDragHandlers = (rule: Rule) => ({
    draggable: true,
    onDragStart: () => {
      from.current = rule;
    },
    onDragOver: (event: DragEvent) => {
      if (from.current?.chain === rule.chain) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      onto.current = rule;
      void drop();
    },
  });
  const list = (
    <SearchableList
      items={ordered}
      table="table-rules"
      textsOf={(rule) => [rule.name, rule.eventKey, rule.chain, ...listGroupNames(rule)]}
      empty={texts.rules.empty}
      next={<NewRule />}
    >
      {(rule) => (
        <li key={rule.id} {...(rule.chain === null ? {} : createDragHandlers(rule))}>
          <span class="row-title">
            <a href={`/rules/${rule.id}`} data-row>
              {rule.name}
            </a>
            {rule.chain !== null && <ChainPosition rule={rule} chain={listRulesInChain(rule)} move={moveRule} />}
          </span>
          <code>{rule.eventKey}</code>
          <span class="soft">{texts.rules.conditions(rule.conditions.length)}</span>
          <span>{listGroupNames(rule).join(", ")}</span>
          <span class={rule.enabled ? "status-acknowledged" : "soft"}>
            {rule.enabled ? texts.rules.on : texts.rules.off}
          </span>
          <ProbeMark status={findProbe(rule)?.status ?? "none"} />
          <span class="acts">
            {rule.enabled ? (
              <Confirm
                text={texts.rules.turnOff}
                label={texts.rules.turn(true, rule.name)}
                look="plain"
                question={texts.rules.askTurnOff}
                action={() => toggleEnabled(rule)}
              />
            ) : (
              <Action label={texts.rules.turn(false, rule.name)} action={() => toggleEnabled(rule)}>
                {texts.rules.turnOnAgain}
              </Action>
            )}
          </span>
          <BrokenLink probe={findProbe(rule)} />
        </li>
      )}
    </SearchableList>
  );
  return (
    <>
      {failure !== undefined && (
        <p class="wrong" role="alert">
          {explainFailure(failure)}
        </p>
      )}
      {list}
    </>
  );
};

export const page = definePage<Data>({
  heading: texts.pages.rules,
  load: async ({ api }) => {
    const [rules, groups, probes] = await Promise.all([
      api("routing-rules/list-routing-rules", {}),
      api("groups/list-groups", {}),
      api("routing-rules/list-probes", {}),
    ]);
    return { rules, groups, probes };
  },
  everySeconds: 30,
  Actions: ({ data: { rules } }) => (rules.length === 0 ? null : <NewRule />),
  needs: "manager",
  View: RulesView,
});
