import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { definePage, type PageContext, type ViewProps } from "../app/page.tsx";
import { setQuery } from "../app/router.ts";
import { matchesAllWords } from "../app/search.ts";
import { setting } from "../app/setting.ts";
import type { Answers } from "../app/types.ts";
import { Form, TextField, useFields } from "../parts/form.tsx";
import { Mark } from "../parts/marks.tsx";
import { SearchField, readSearch } from "../parts/searched.tsx";
import { Snippet } from "../parts/snippet.tsx";
import { isSource, type Source, sources, tools } from "../parts/tools.ts";
import { texts as all } from "../page-texts/integrations.ts";
import { emptyDraft, SIGNING, toApiKeyInput } from "./keys/draft.ts";
import { MappingFields } from "./keys/mapping.tsx";
import { SecretField } from "./keys/secret.tsx";
import { buildConfiguration, findEventKeyPrefix, findToolState } from "./sources/tools.ts";

const { sources: texts } = all;

type Key = Answers["ApiKey"];
type NewKey = Answers["ApiKeyWithText"];

/** The new key is shown until the reader closes it, because the key is not stored anywhere else. */
const shown = signal<{ workspaceId: string; made: NewKey } | undefined>(undefined);

const closeTool = (): void => {
  shown.value = undefined;
  setQuery({ tool: undefined });
};

const looks = {
  off: ["soft", "M2 6h8"],
  waiting: ["priority-high", "M6 1a5 5 0 1 0 .01 0M6 3v3l2 2"],
  on: ["status-acknowledged", "M1 6l3 3 7-7"],
} as const;

const ToolState = ({ state }: { state: keyof typeof looks }) => <Mark look={looks[state]}>{texts.state[state]}</Mark>;

type TilesProps = { keys: readonly Key[]; chosen: Source | undefined; search: string };

const ToolTiles = ({ keys, chosen, search }: TilesProps) => (
  <ul class="tiles" aria-label={texts.tiles}>
    {sources
      .filter((source) => matchesAllWords(search, [tools[source]]))
      .map((source) => {
        const own = keys.filter((key) => key.source === source);
        const isChosen = chosen === source;
        return (
          <li key={source}>
            <button
              type="button"
              class="tile"
              data-row
              aria-pressed={isChosen}
              onClick={() => setQuery({ tool: isChosen ? undefined : source })}
            >
              <strong>{tools[source]}</strong>
              <ToolState state={findToolState(own)} />
              {own.length > 0 && <span class="soft small">{texts.keys(own.length)}</span>}
            </button>
          </li>
        );
      })}
    <li>
      <a class="tile" href="/keys?edit=new">
        <strong>{texts.own}</strong>
        <span class="soft small">{texts.ownHint}</span>
      </a>
    </li>
  </ul>
);

const CreateKey = ({
  source,
  context,
  refresh,
}: Pick<ViewProps<Key[]>, "context" | "refresh"> & { source: Source }) => {
  const { values, field } = useFields({ ...emptyDraft, name: tools[source], usedBy: source });
  const createKey = async (): Promise<undefined> => {
    const made = await context.api("api-keys/create-api-key", { body: toApiKeyInput(values) });
    shown.value = { workspaceId: context.workspaceId, made };
    await refresh();
    return undefined;
  };
  return (
    <Form send={createKey} submit={texts.create} fields={["name", "mapping", "signingSecret"]} cancel={closeTool}>
      <TextField label={texts.name} hint={texts.nameHint} {...field("name")} autoFocus={source !== "mapped"} />
      {source === "mapped" && <MappingFields {...field("mapping")} />}
      {source === SIGNING && <SecretField {...field("secret", "signingSecret")} />}
    </Form>
  );
};

const Configuration = ({ made, source, keys }: { made: NewKey; source: Source; keys: readonly Key[] }) => {
  const { where, pieces } = buildConfiguration(source, { origin: setting.origin, key: made.key, url: made.url ?? "" });
  const state = findToolState(keys.filter(({ id }) => id === made.id));
  const eventKey = findEventKeyPrefix(made);
  return (
    <>
      <p>{where}</p>
      {source === "cloudwatch" && (
        <p>
          <a href="/settings">{texts.toSettings}</a>
        </p>
      )}
      {pieces.map(([name, text]) => (
        <Snippet key={name} name={name} text={text} />
      ))}
      <p class="hint">{texts.once}</p>
      <p class={state === "on" ? "note good" : "note"} role="status">
        <ToolState state={state === "on" ? "on" : "waiting"} />
      </p>
      <p class="buttons">
        {state === "on" && eventKey !== undefined && (
          <a class="button main" href={`/events?eventKey=${eventKey}.*`}>
            {texts.see}
          </a>
        )}
        <button type="button" onClick={closeTool}>
          {texts.close}
        </button>
      </p>
    </>
  );
};

const ToolPanel = ({ source, props }: { source: Source; props: ViewProps<Key[]> }) => {
  const { data, context, refresh } = props;
  const [isAsked, setAsked] = useState(false);
  const own = data.filter((key) => key.source === source);
  const kept = shown.value?.workspaceId === context.workspaceId ? shown.value.made : undefined;
  const made = kept?.source === source ? kept : undefined;
  const [first] = own;
  return (
    <section class="panel" aria-labelledby="tool">
      <h2 id="tool">{tools[source]}</h2>
      {made !== undefined && <Configuration made={made} source={source} keys={data} />}
      {made === undefined && (first === undefined || isAsked) && (
        <CreateKey source={source} context={context} refresh={refresh} />
      )}
      {made === undefined && first !== undefined && !isAsked && (
        <>
          <p>
            <ToolState state={findToolState(own)} />
          </p>
          <p>{texts.already(own.map(({ name }) => name))}</p>
          <p class="buttons">
            <a class="button" href={`/events?eventKey=${findEventKeyPrefix(first) ?? ""}.*`}>
              {texts.see}
            </a>
            <button type="button" onClick={() => setAsked(true)}>
              {texts.another}
            </button>
            <button type="button" onClick={closeTool}>
              {texts.close}
            </button>
          </p>
        </>
      )}
    </section>
  );
};

const SourcesView = (props: ViewProps<Key[]>) => {
  const asked = props.context.query().get("tool") ?? "";
  const search = readSearch();
  const chosen = isSource(asked) ? asked : undefined;
  return (
    <>
      <p class="soft">{texts.lead}</p>
      <search class="filters">
        <SearchField />
      </search>
      <ToolTiles keys={props.data} chosen={chosen} search={search} />
      {chosen !== undefined && <ToolPanel key={chosen} source={chosen} props={props} />}
    </>
  );
};

export const page = definePage<Key[]>({
  heading: all.pages.integrations,
  load: ({ api }: PageContext) => api("api-keys/list-api-keys", {}),
  everySeconds: 8,
  needs: "manager",
  View: SourcesView,
});
