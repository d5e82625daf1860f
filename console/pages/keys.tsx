import { signal } from "@preact/signals";
import { DAY_MS } from "../../core/domain/basics/units.ts";
import { now } from "../app/clock.ts";
import { locale } from "../app/language.ts";
import { definePage, type StatusText, type ViewProps } from "../app/page.tsx";
import { NEW, setQuery } from "../app/router.ts";
import { setting } from "../app/setting.ts";
import type { Answers, Inputs } from "../app/types.ts";
import { Ago } from "../parts/ago.tsx";
import { Form, SelectField, TextField, useFields } from "../parts/form.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { createNewButton, SearchableList } from "../parts/searched.tsx";
import { Copyable, Snippet } from "../parts/snippet.tsx";
import { sources, tools } from "../parts/tools.ts";
import { texts } from "../page-texts/keys.ts";
import { ANY, type Draft, emptyDraft, SIGNING, toApiKeyInput, type UsedBy } from "./keys/draft.ts";
import { MappingFields } from "./keys/mapping.tsx";
import { SecretField } from "./keys/secret.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { buildHead, buildSnippets, WITH_CLIENT } from "./keys/snippets.ts";

type ApiKeys = Answers["ApiKey"][];

const event = {
  event: "order.failed",
  title: "Order 1042 failed",
  body: "Payment was declined twice.",
  priority: "HIGH",
  data: { amount: 129.9 },
};

const Snippets = ({ text }: { text: string }) => (
  <>
    <h3>{texts.keys.tryIt}</h3>
    <p>{texts.keys.tryItHint}</p>
    <Tabs
      label={texts.keys.tryIt}
      tabs={buildSnippets(buildHead(setting.origin, text), event).map(([name, code]) =>
        name === WITH_CLIENT
          ? [
              texts.keys.withClient,
              <Snippet key={name} name={texts.keys.withClient} text={code} hint={texts.keys.clientHint} />,
            ]
          : [name, <Snippet key={name} name={name} text={code} />],
      )}
    />
  </>
);

/** Shows the URL that contains the key, for tools that cannot send headers. */
const ToolUrl = ({ url }: { url: string }) => (
  <>
    <h3>{texts.keys.addressForTool}</h3>
    <p>{texts.keys.addressHint}</p>
    <Copyable name={texts.keys.addressForTool} text={url} label={texts.copyOf(texts.keys.addressForTool)} />
  </>
);

/** Shows how many days ago a key was last used. Only the day of the last use is known (in UTC). */
const LastUsedDay = ({ day }: { day: string }) => {
  const daysAgo = Math.max(0, Math.floor((now.value - Date.parse(day)) / DAY_MS));
  const words = new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-daysAgo, "day");
  return <time dateTime={day.slice(0, 10)}>{words}</time>;
};

const NewKey = ({ newKey, close }: { newKey: Answers["ApiKeyWithText"]; close: () => void }) => (
  <section class="panel" aria-label={newKey.name}>
    <h2>{newKey.name}</h2>
    <p>{texts.keys.once}</p>
    <Copyable name={texts.keys.key} text={newKey.key} />
    {newKey.url === undefined ? <Snippets text={newKey.key} /> : <ToolUrl url={newKey.url} />}
    <button type="button" onClick={close}>
      {texts.keys.done}
    </button>
  </section>
);

const users: readonly (readonly [UsedBy, string])[] = [
  [ANY, texts.keys.anyApplication],
  ...sources.map((name) => [name, tools[name]] as const),
];

const resolving: readonly (readonly [Draft["mayResolve"], string])[] = [
  ["own", texts.keys.resolves.own],
  ["any", texts.keys.resolves.any],
];

type CreateKey = (input: Inputs["ApiKeyInput"]) => Promise<void>;

const NewKeyForm = ({ create, close }: { create: CreateKey; close: () => void }) => {
  const { values, field } = useFields<Draft>(emptyDraft);
  const { usedBy } = values;
  const createKeyAndClose = async (): Promise<undefined> => {
    await create(toApiKeyInput(values));
    close();
    return undefined;
  };
  return (
    <section class="panel" aria-label={texts.keys.newKey}>
      <Form
        send={createKeyAndClose}
        submit={texts.keys.create}
        fields={["name", "source", "mapping", "signingSecret", "eventKeys", "mayResolve"]}
        cancel={close}
      >
        <TextField label={texts.keys.name} hint={texts.keys.nameHint} {...field("name")} autoFocus />
        <SelectField label={texts.keys.usedBy} options={users} {...field("usedBy", "source")} />
        {usedBy === "mapped" && <MappingFields {...field("mapping")} />}
        {usedBy === SIGNING && <SecretField {...field("secret", "signingSecret")} />}
        <TextField label={texts.keys.eventKeys} hint={texts.keys.eventKeysHint} {...field("patterns", "eventKeys")} />
        <SelectField label={texts.keys.mayResolve} options={resolving} {...field("mayResolve")} />
      </Form>
    </section>
  );
};

/** Shows how a key differs from the default, which may send any event and resolve its own events. */
const KeyScope = ({ eventKeys, mayResolve, expiresAt, signed }: ApiKeys[number]) => (
  <span class="soft">
    {[
      ...(eventKeys === undefined ? [] : [texts.keys.sends(eventKeys.join(", "))]),
      ...(mayResolve === "any" ? [texts.keys.resolvesAll] : []),
      ...(signed ? [texts.keys.signed] : []),
    ].join(", ")}
    {expiresAt !== undefined && (
      <>
        {" "}
        {texts.keys.ends} <Ago at={expiresAt} />
      </>
    )}
  </span>
);

const KeyList = ({ keys, remove }: { keys: ApiKeys; remove: (key: ApiKeys[number]) => Promise<StatusText> }) => (
  <SearchableList
    items={keys}
    table="table-keys"
    textsOf={({ name, source, createdBy }) => [name, source && tools[source], createdBy?.name]}
    empty={texts.keys.empty}
  >
    {(key) => (
      <li key={key.id} tabIndex={-1} data-row>
        <strong>{key.name}</strong>
        <span class="soft">{key.source === undefined ? "" : tools[key.source]}</span>
        <span class="soft">
          {texts.keys.created} <Ago at={key.createdAt} />
          {key.createdBy !== null && key.createdBy.name !== "" && ` ${texts.keys.by(key.createdBy.name)}`}
        </span>
        <span class="soft">
          {key.lastUsedAt === null ? (
            texts.keys.neverUsed
          ) : (
            <>
              {texts.keys.lastUsed} <LastUsedDay day={key.lastUsedAt} />
            </>
          )}
        </span>
        <KeyScope {...key} />
        <span class="acts">
          <Confirm
            text={texts.keys.delete}
            label={texts.keys.deleteOf(key.name)}
            question={texts.keys.deleteQuestion(key.name)}
            action={() => remove(key)}
          />
        </span>
      </li>
    )}
  </SearchableList>
);

const closeForm = (): void => setQuery({ edit: undefined });

/** The new key is shown until the reader closes it, because the key is not stored anywhere else. */
const shown = signal<{ workspaceId: string; made: Answers["ApiKeyWithText"] } | undefined>(undefined);

const KeysView = ({ data, context: { api, query, workspaceId }, refresh }: ViewProps<ApiKeys>) => {
  const made = shown.value?.workspaceId === workspaceId ? shown.value.made : undefined;
  const create: CreateKey = async (input) => {
    shown.value = { workspaceId, made: await api("api-keys/create-api-key", { body: input }) };
    await refresh();
  };
  const deleteKey = async ({ id, name }: ApiKeys[number]): Promise<StatusText> => {
    await api("api-keys/delete-api-key", { path: { id } });
    if (made?.id === id) shown.value = undefined;
    await refresh();
    return texts.keys.deleted(name);
  };
  return (
    <>
      {query().get("edit") === NEW && <NewKeyForm create={create} close={closeForm} />}
      {made !== undefined && <NewKey newKey={made} close={() => (shown.value = undefined)} />}
      <KeyList keys={data} remove={deleteKey} />
    </>
  );
};

export const page = definePage<ApiKeys>({
  heading: texts.pages.keys,
  load: ({ api }) => api("api-keys/list-api-keys", {}),
  Actions: createNewButton(texts.keys.newKey),
  needs: "manager",
  View: KeysView,
});
