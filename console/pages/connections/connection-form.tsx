import { useState } from "preact/hooks";
import type { Answers, Inputs } from "../../app/types.ts";
import { CheckField, Form, SelectField, TextField } from "../../parts/form.tsx";
import { texts } from "../../page-texts/connections.ts";

type Kind = Inputs["ConnectionInput"]["kind"];
const kinds: readonly (readonly [Kind, string])[] = [
  ["slack", texts.connections.kinds.slack],
  ["teams", texts.connections.kinds.teams],
];

/** What one may tie a room to. */
export type Ties = { rules: readonly Answers["RoutingRule"][]; groups: readonly Answers["Group"][] };
/** What the form sends: the room itself only for a new connection. */
export type Tied = { name: string; ruleIds: string[] | null; groupIds: string[] | null };
export type Room = { kind: "slack"; channel: string } | { kind: "teams"; url: string };

type ChoiceProps = {
  legend: string;
  options: readonly { id: string; name: string }[];
  chosen: readonly string[];
  choose: (ids: readonly string[]) => void;
};

const Choice = ({ legend, options, chosen, choose }: ChoiceProps) =>
  options.length === 0 ? null : (
    <fieldset>
      <legend>{legend}</legend>
      {options.map(({ id, name }) => (
        <CheckField
          key={id}
          label={name}
          checked={chosen.includes(id)}
          onChecked={(checked) => choose(checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
      ))}
    </fieldset>
  );

type FormProps = {
  /** What is edited; undefined for a new one. */
  connection: Answers["Connection"] | undefined;
  ties: Ties;
  save: (tied: Tied, room: Room) => Promise<string | undefined>;
  close: () => void;
};

const orNull = (ids: readonly string[]): string[] | null => (ids.length === 0 ? null : [...ids]);

export const ConnectionForm = ({ connection, ties, save, close }: FormProps) => {
  const [name, setName] = useState(connection?.name ?? "");
  const [kind, setKind] = useState<Kind>(connection?.kind ?? "slack");
  const [channel, setChannel] = useState("");
  const [url, setUrl] = useState("");
  const [ruleIds, setRuleIds] = useState<readonly string[]>(connection?.ruleIds ?? []);
  const [groupIds, setGroupIds] = useState<readonly string[]>(connection?.groupIds ?? []);
  const send = (): Promise<string | undefined> =>
    save(
      { name, ruleIds: orNull(ruleIds), groupIds: orNull(groupIds) },
      kind === "slack" ? { kind, channel: channel.trim() } : { kind, url: url.trim() },
    );
  const words = texts.connections;
  const heading = connection === undefined ? words.newConnection : words.edit;
  const isNew = connection === undefined;
  return (
    <section class="panel" aria-label={heading}>
      <h2>{heading}</h2>
      <Form send={send} submit={words.save} fields={["name", "kind", "channel", "url"]} cancel={close}>
        <TextField label={words.name} name="name" hint={words.nameHint} value={name} onValue={setName} autoFocus />
        {isNew && <SelectField label={words.kind} name="kind" value={kind} options={kinds} onValue={setKind} />}
        {isNew && kind === "slack" && (
          <TextField
            label={words.channel}
            name="channel"
            hint={words.channelHint}
            value={channel}
            onValue={setChannel}
          />
        )}
        {isNew && kind === "teams" && (
          <TextField label={words.url} name="url" hint={words.urlHint} value={url} onValue={setUrl} />
        )}
        <p class="soft small">{words.tiesHint}</p>
        <Choice legend={words.rules} options={ties.rules} chosen={ruleIds} choose={setRuleIds} />
        <Choice legend={words.groups} options={ties.groups} chosen={groupIds} choose={setGroupIds} />
      </Form>
    </section>
  );
};
