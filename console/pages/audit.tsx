import type { Api } from "../app/api.ts";
import { formatExactTime } from "../app/clock.ts";
import { describeDutyChange } from "../app/duty.ts";
import { definePage, type ViewProps } from "../app/page.tsx";
import { setQuery, createUrlWithQuery } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { Action } from "../parts/action.tsx";
import { Ago } from "../parts/ago.tsx";
import { SelectField } from "../parts/form.tsx";
import { Empty } from "../parts/states.tsx";
import { texts as all } from "../page-texts/audit.ts";
import {
  formatTargetPath,
  describeSmallChange,
  canCompareHistory,
  describeChanges,
  type Entry,
  type NamesById,
  readGroupId,
  computeOnCallBefore,
  describeOnCallChanges,
  describeEntry,
} from "./audit/describe-value.ts";

const { audit: texts } = all;

type Data = { trail: Answers["AuditPage"]; members: Answers["ListedMember"][]; names: NamesById };

const FILTERS = ["target", "actor", "action"] as const;
type Filter = (typeof FILTERS)[number];

const LOOK_BACK_DAYS = 7;

/** Returns the names of members, groups and policies by id. */
const readNames = async (api: Api, members: Data["members"]): Promise<NamesById> => {
  const [groups, policies] = await Promise.all([
    api("groups/list-groups", {}),
    api("escalation-policies/list-escalation-policies", {}),
  ]);
  return new Map([
    ...members.map(({ userId, name }) => [userId, name || userId] as const),
    ...[...groups, ...policies].map(({ id, name }) => [id, name] as const),
  ]);
};

/** Returns the rule or the schedule as it was before a change, as a draft for the preview. */
const readDraftBeforeChange = async (api: Api, entry: Entry) => {
  const { target, before } = entry;
  if (target.kind === "rule") {
    const { warnings: _, ...rule } = await api("routing-rules/get-routing-rule", { path: { ruleId: target.id } });
    return { rules: [{ ...rule, ...before }] };
  }
  const groupId = readGroupId(entry);
  const { overrides, ...schedule } = await api("on-call/get-on-call", { path: { groupId } });
  return { onCall: [computeOnCallBefore(entry, groupId, schedule, overrides)] };
};

/** Returns a sentence on how many past events would have had other recipients without the change. */
const compareWithHistory = async (api: Api, entry: Entry): Promise<string> => {
  const body = { ...(await readDraftBeforeChange(api, entry)), days: LOOK_BACK_DAYS };
  const { moreTold, lessTold, events } = await api("simulate/simulate-history", { body });
  return moreTold + lessTold === 0 ? texts.same(events) : texts.other(moreTold, lessTold, events);
};

const EntryChanges = ({ entry, names }: { entry: Entry; names: NamesById }) => (
  <div class="wide" role="region" aria-label={texts.details(describeEntry(entry))} tabIndex={0}>
    <table>
      <thead>
        <tr>
          <th scope="col">{texts.field}</th>
          {entry.before !== null && <th scope="col">{texts.from}</th>}
          {entry.after !== null && <th scope="col">{texts.to}</th>}
        </tr>
      </thead>
      <tbody>
        {describeChanges(entry, names).map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            {before !== undefined && <td>{before}</td>}
            {after !== undefined && <td>{after}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

type RowProps = { entry: Entry; names: NamesById; api: Api };

const EntryRow = ({ entry, names, api }: RowProps) => {
  const { at, via, requestId } = entry;
  const said = describeEntry(entry);
  const brief = describeSmallChange(entry, names);
  const address = formatTargetPath(entry);
  return (
    <li>
      <details>
        <summary data-row>
          {said}
          {brief !== undefined && <span class="soft">: {brief}</span>}
        </summary>
        <p class="soft small">
          {formatExactTime(at)}, {texts.vias[via]}, {texts.request} <code>{requestId}</code>
        </p>
        {entry.onCall !== null && (
          <>
            <h3>{texts.onCall}</h3>
            <ul>
              {describeOnCallChanges(entry, describeDutyChange).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </>
        )}
        <EntryChanges entry={entry} names={names} />
        <p class="buttons">
          {address !== undefined && (
            <a class="button" href={address}>
              {texts.open}
            </a>
          )}
          {canCompareHistory(entry) && (
            <Action action={() => compareWithHistory(api, entry)} label={`${texts.undo}: ${said}`}>
              {texts.undo}
            </Action>
          )}
        </p>
      </details>
      <span class="soft">{texts.vias[via]}</span>
      <span class="soft row-time">
        <Ago at={at} />
      </span>
    </li>
  );
};

const Filters = ({ data: { members }, context: { query } }: ViewProps<Data>) => {
  const createFilterProps = (name: Filter) => ({
    name,
    value: query().get(name) ?? "",
    onValue: (value: string): void => setQuery({ [name]: value, cursor: undefined }),
  });
  const people = [
    ["", texts.anybody],
    ...members.map(({ userId, name }) => [userId, name || userId] as const),
    ["operator", texts.operator],
  ] as const;
  return (
    <search class="filters">
      <SelectField
        label={texts.of}
        options={[["", texts.anything], ...Object.entries(texts.kindOptions)]}
        {...createFilterProps("target")}
      />
      <SelectField label={texts.by} options={people} {...createFilterProps("actor")} />
      <SelectField
        label={texts.how}
        options={[["", texts.anyhow], ...Object.entries(texts.actionOptions)]}
        {...createFilterProps("action")}
      />
    </search>
  );
};

const AuditTrail = (props: ViewProps<Data>) => {
  const { items, nextCursor } = props.data.trail;
  const isLater = props.context.query().has("cursor");
  return (
    <>
      <p class="soft">{texts.lead}</p>
      <Filters {...props} />
      {items.length === 0 ? (
        <Empty>{texts.nothing}</Empty>
      ) : (
        <ul class="rows table table-audit">
          {items.map((entry) => (
            <EntryRow key={entry.id} entry={entry} names={props.data.names} api={props.context.api} />
          ))}
        </ul>
      )}
      {(isLater || nextCursor !== null) && (
        <nav class="bar" aria-label={texts.pages}>
          {isLater ? <a href={createUrlWithQuery({ cursor: undefined })}>{texts.newest}</a> : <span />}
          {nextCursor === null ? <span /> : <a href={createUrlWithQuery({ cursor: nextCursor })}>{texts.older}</a>}
        </nav>
      )}
    </>
  );
};

export const page = definePage<Data>({
  heading: all.pages.audit,
  load: async ({ api, query }) => {
    const asked = Object.fromEntries([...FILTERS, "cursor"].map((name) => [name, query().get(name) ?? undefined]));
    const [trail, members] = await Promise.all([
      api("audit/list-audit", { query: asked }),
      api("members/list-members", {}),
    ]);
    return { trail, members, names: await readNames(api, members) };
  },
  View: AuditTrail,
});
