import type { BrowserImport } from "#importer";
import { formatNumber } from "../../texts/numbers.ts";
import { texts as all } from "../../page-texts/import.ts";

const { import: texts } = all;

type RemarkKind = BrowserImport["remarks"][number]["kind"];
/** Kinds of remarks in the order of importance. The most important kinds are expanded at first. */
const KINDS: readonly (readonly [RemarkKind, isOpen: boolean])[] = [
  ["warning", true],
  ["missing", true],
  ["left", true],
  ["different", false],
  ["taken", false],
];

export const Download = ({ name, label, text }: { name: string; label: string; text: string }) => (
  <a class="button" download={name} href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}>
    {texts.download(label)}
  </a>
);

export const Report = ({ counts, remarks, report, people, contacts }: BrowserImport) => (
  <section aria-labelledby="report">
    <h2 id="report">{texts.report}</h2>
    <div class="wide" role="region" aria-label={texts.counts} tabIndex={0}>
      <table>
        <caption class="unseen">{texts.counts}</caption>
        <thead>
          <tr>
            {texts.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {counts.map(({ kind, found, taken, different, left }) => (
            <tr key={kind}>
              <th scope="row">{texts.itemsOf(kind)}</th>
              {[found, taken, different, left].map((count, index) => (
                <td key={index}>{formatNumber(count)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    {KINDS.map(([kind, isOpen]) => {
      const own = remarks.filter((remark) => remark.kind === kind);
      return own.length === 0 ? null : (
        <details key={kind} open={isOpen}>
          <summary>{texts.kindOf(texts.kinds[kind], own.length)}</summary>
          <ul>
            {own.map(({ what, why }) => (
              <li key={`${what} ${why}`}>
                <strong>{texts.remark(what)}</strong>: {texts.remark(why)}
              </li>
            ))}
          </ul>
        </details>
      );
    })}
    <p class="buttons">
      <Download name="set-up.report.md" label={texts.downloads.report} text={report} />
      <Download name="set-up.people.csv" label={texts.downloads.people} text={people} />
      <Download name="set-up.contacts.yaml" label={texts.downloads.contacts} text={contacts} />
    </p>
  </section>
);
