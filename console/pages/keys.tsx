import { useState } from "preact/hooks";
import { definePage, type ViewProps } from "../app/page.tsx";
import { NEW, setQuery } from "../app/router.ts";
import { setting } from "../app/setting.ts";
import type { Answers } from "../app/types.ts";
import { Ago } from "../parts/ago.tsx";
import { Copy } from "../parts/copy.tsx";
import { Form, TextField } from "../parts/form.tsx";
import { Remove } from "../parts/remove.tsx";
import { Empty } from "../parts/states.tsx";
import { texts } from "../texts.ts";

type Keys = Answers["ApiKey"][];

const event = {
  event: "order.failed",
  title: "Order 1042 failed",
  body: "Payment was declined twice.",
  priority: "HIGH",
  data: { amount: 129.9 },
};

/** How to send an event with a key: each snippet works when it is pasted. */
const snippetsOf = (key: string): readonly (readonly [language: string, code: string])[] => {
  const url = `${setting.origin}/v1/events`;
  const body = JSON.stringify(event);
  return [
    [
      "curl",
      `curl -sS ${url} \\\n  -H 'X-Api-Key: ${key}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`,
    ],
    [
      "JavaScript",
      `const answer = await fetch("${url}", {
  method: "POST",
  headers: { "X-Api-Key": "${key}", "Content-Type": "application/json" },
  body: JSON.stringify(${body}),
});
console.log(answer.status, await answer.json());`,
    ],
    [
      "Python",
      `import json, urllib.request

request = urllib.request.Request(
    "${url}",
    data=json.dumps(${body}).encode(),
    headers={"X-Api-Key": "${key}", "Content-Type": "application/json"},
)
print(urllib.request.urlopen(request).read().decode())`,
    ],
  ];
};

/** A new key, which can be read only this once. */
const NewKey = ({ made, close }: { made: Answers["ApiKeyWithText"]; close: () => void }) => (
  <section class="panel" aria-label={made.name}>
    <h2>{made.name}</h2>
    <p>{texts.keys.once}</p>
    <p class="copyable">
      <code aria-label={texts.keys.key}>{made.key}</code>
      <Copy text={made.key} />
    </p>
    <h3>{texts.keys.tryIt}</h3>
    {snippetsOf(made.key).map(([language, code]) => (
      <figure key={language} class="snippet">
        <figcaption>
          {language}
          <Copy text={code} label={`${texts.copy} ${language}`} />
        </figcaption>
        <pre tabIndex={0}>{code}</pre>
      </figure>
    ))}
    <button type="button" onClick={close}>
      {texts.keys.done}
    </button>
  </section>
);

const NewKeyForm = ({ create, close }: { create: (name: string) => Promise<void>; close: () => void }) => {
  const [name, setName] = useState("");
  const send = async (): Promise<undefined> => {
    await create(name);
    close();
    return undefined;
  };
  return (
    <section class="panel" aria-label={texts.keys.newKey}>
      <Form send={send} submit={texts.keys.create} fields={["name"]} cancel={close}>
        <TextField
          label={texts.keys.name}
          name="name"
          hint={texts.keys.nameHint}
          value={name}
          onValue={setName}
          autoFocus
        />
      </Form>
    </section>
  );
};

const List = ({ keys, remove }: { keys: Keys; remove: (key: Keys[number]) => Promise<string> }) => (
  <ul class="rows">
    {keys.map((key) => (
      <li key={key.id} tabIndex={-1} data-row>
        <strong>{key.name}</strong>
        <span class="soft">
          {texts.keys.created} <Ago at={key.createdAt} />
        </span>
        <Remove
          text={texts.keys.delete}
          label={`${texts.keys.delete} ${key.name}`}
          question={texts.keys.deleteQuestion(key.name)}
          remove={() => remove(key)}
        />
      </li>
    ))}
  </ul>
);

const close = (): void => setQuery({ edit: undefined });

const KeysView = ({ data, context: { api, query }, refresh }: ViewProps<Keys>) => {
  const [made, setMade] = useState<Answers["ApiKeyWithText"]>();
  const create = async (name: string): Promise<void> => {
    setMade(await api("api-keys/create-api-key", { body: { name } }));
    await refresh();
  };
  const remove = async ({ id, name }: Keys[number]): Promise<string> => {
    await api("api-keys/delete-api-key", { path: { id } });
    if (made?.id === id) setMade(undefined);
    await refresh();
    return texts.keys.deleted(name);
  };
  return (
    <>
      {query().get("edit") === NEW && <NewKeyForm create={create} close={close} />}
      {made !== undefined && <NewKey made={made} close={() => setMade(undefined)} />}
      {data.length === 0 ? <Empty>{texts.keys.empty}</Empty> : <List keys={data} remove={remove} />}
    </>
  );
};

export const page = definePage<Keys>({
  heading: texts.pages.keys,
  load: ({ api }) => api("api-keys/list-api-keys", {}),
  Actions: () => (
    <button type="button" class="main" onClick={() => setQuery({ edit: NEW })}>
      {texts.keys.newKey}
    </button>
  ),
  View: KeysView,
});
