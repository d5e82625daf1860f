import { signal } from "@preact/signals";
import type { BrowserImport, BrowserPlan } from "#importer";
import { useState } from "preact/hooks";
import { readServiceTime } from "../app/clock.ts";
import { createLocalFailure } from "../app/failure.ts";
import { definePage, type StatusText, type ViewProps } from "../app/page.tsx";
import { Action } from "../parts/action.tsx";
import { AreaField, Field, Form, SelectField } from "../parts/form.tsx";
import { useMissingRole } from "../parts/needs.tsx";
import { texts as all } from "../page-texts/import.ts";
import { createImporterConnection, withImporter } from "./import/importer.ts";
import { Download, Report } from "./import/report.tsx";

const { import: texts } = all;

const services = [
  ["opsgenie", "Opsgenie"],
  ["pagerduty", "PagerDuty"],
  ["oncall", "Grafana OnCall"],
] as const;
type Service = (typeof services)[number][0];

type AppliedImport = { workspaceId: string; lines: readonly string[]; done: number; of: number; keys?: string };
/** The result is kept after the reader leaves the page, because its keys are not stored anywhere else. */
const applied = signal<AppliedImport | undefined>(undefined);

const ChooseExport = ({ done }: { done: (imported: BrowserImport) => void }) => {
  const [service, setService] = useState<Service>("opsgenie");
  const [chosen, setChosen] = useState<{ files: readonly File[]; folder: readonly File[] }>({ files: [], folder: [] });
  const readChosenFiles = async (): Promise<undefined> => {
    const files = [...chosen.files, ...chosen.folder].map((file) => ({
      path: file.webkitRelativePath === "" ? file.name : file.webkitRelativePath,
      text: () => file.text(),
    }));
    if (files.length === 0) throw createLocalFailure(texts.noFiles);
    done(await withImporter(({ importChosenFiles }) => importChosenFiles(service, files, readServiceTime())));
  };
  return (
    <Form send={readChosenFiles} submit={texts.read} fields={[]}>
      <SelectField label={texts.service} name="service" value={service} options={services} onValue={setService} />
      <Field label={texts.files} name="files" hint={texts.filesHint}>
        {(control) => (
          <input
            {...control}
            type="file"
            multiple
            onChange={({ currentTarget: { files } }) => setChosen({ ...chosen, files: [...(files ?? [])] })}
          />
        )}
      </Field>
      <Field label={texts.folder} name="folder" hint={texts.folderHint}>
        {(control) => (
          <input
            {...control}
            type="file"
            ref={(input) => input?.setAttribute("webkitdirectory", "")}
            onChange={({ currentTarget: { files } }) => setChosen({ ...chosen, folder: [...(files ?? [])] })}
          />
        )}
      </Field>
    </Form>
  );
};

const PlanLines = ({ name, lines }: { name: string; lines: readonly string[] }) => (
  <section class="snippet" aria-label={name}>
    <h2>{name}</h2>
    <pre tabIndex={0}>{lines.join("\n")}</pre>
  </section>
);

const SetupPlan = ({ plan, apply }: { plan: BrowserPlan; apply: () => Promise<StatusText> }) => (
  <>
    <PlanLines name={texts.plan} lines={plan.lines} />
    {plan.warnings.length > 0 && (
      <section class="note" aria-label={texts.leftOut}>
        <h2>{texts.leftOut}</h2>
        <ul>
          {plan.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      </section>
    )}
    {plan.changes > 0 && (
      <p class="buttons">
        <Action look="main" action={apply}>
          {texts.apply}
        </Action>
      </p>
    )}
  </>
);

/** Edits, plans and applies a setup file. An edit discards the plan. */
const SetUpFile = ({ yaml, workspaceId }: { yaml: string; workspaceId: string }) => {
  const [text, setText] = useState(yaml);
  const [plan, setPlan] = useState<BrowserPlan>();
  const reached = createImporterConnection(workspaceId);
  const showPlan = async (): Promise<undefined> => {
    setPlan(undefined);
    setPlan(await withImporter(({ planSetUp }) => planSetUp(reached, text)));
  };
  const applyFile = async (): Promise<StatusText> => {
    let now: AppliedImport = { workspaceId, lines: [], done: 0, of: 0 };
    const updateApplied = (changes: Partial<AppliedImport>): void => {
      now = { ...now, ...changes };
      applied.value = now;
    };
    await withImporter(({ applySetUp }) =>
      applySetUp(reached, text, {
        step: (line) => updateApplied({ lines: [...now.lines, line] }),
        progress: (_, of) => {
          updateApplied({ of });
          return () => updateApplied({ done: now.done + 1 });
        },
        keep: (keys) => updateApplied({ keys }),
      }),
    );
    setPlan(undefined);
    return texts.applied;
  };
  return (
    <section class="panel" aria-label={texts.setUp}>
      <Form send={showPlan} submit={texts.preview} fields={[]}>
        <AreaField
          label={texts.setUp}
          name="setUp"
          hint={texts.setUpHint}
          rows={16}
          value={text}
          onValue={(typed) => {
            setText(typed);
            setPlan(undefined);
          }}
        />
        <p class="buttons">
          <Download name="set-up.yaml" label={texts.downloads.setUp} text={text} />
        </p>
      </Form>
      {plan !== undefined && <SetupPlan plan={plan} apply={applyFile} />}
    </section>
  );
};

const ApplyResult = ({ lines, done, of, keys }: AppliedImport) => (
  <>
    <p role="status">{texts.applying(done, of)}</p>
    <PlanLines name={texts.result} lines={lines} />
    {keys !== undefined && (
      <p class="note">
        {texts.keysHint} <Download name="keys.json" label={texts.downloads.keys} text={keys} />
      </p>
    )}
  </>
);

const ImportView = ({ context: { workspaceId } }: ViewProps<null>) => {
  const [imported, setImported] = useState<BrowserImport>();
  const result = applied.value;
  if (useMissingRole() !== undefined) return null;
  return (
    <>
      <p class="soft">{texts.lead}</p>
      <ChooseExport done={setImported} />
      {imported !== undefined && (
        <>
          <Report {...imported} />
          <SetUpFile key={imported.report} yaml={imported.yaml} workspaceId={workspaceId} />
        </>
      )}
      {result?.workspaceId === workspaceId && <ApplyResult {...result} />}
    </>
  );
};

export const page = definePage<null>({
  heading: all.pages.import,
  load: () => Promise.resolve(null),
  needs: "manager",
  View: ImportView,
});
