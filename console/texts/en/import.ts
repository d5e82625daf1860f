import type { Catalogue } from "../catalogue.ts";
import { formatCount as count } from "../numbers.ts";

/** `remark`: returns the text of an importer's remark. The report for download is in English only. */
export const texts = {
  import: {
    lead: "Move from Opsgenie, PagerDuty or Grafana OnCall: read an export, check the result, and apply the result to this workspace. The export stays in this browser.",
    service: "Service",
    files: "Files",
    filesHint: "The .json files and .ics calendars of the export. Unpack zip files first.",
    folder: "Folder",
    folderHint: "Instead of files, you can choose a whole folder, such as a configuration backup of Opsgenie.",
    read: "Read export",
    noFiles: "Choose the files of the export, or its folder.",
    report: "Report",
    counts: "Contents of the export",
    columns: ["Kind", "In the export", "Imported", "With a difference", "Not imported"],
    itemsOf: (kind: string) => kind,
    kinds: {
      warning: "Read this first",
      missing: "Missing in the export",
      left: "Not imported",
      different: "Imported with a difference",
      taken: "Imported",
    },
    kindOf: (kind: string, n: number) => `${kind} (${n})`,
    remark: (text: string) => text,
    downloads: { report: "Report", people: "People", contacts: "Contacts", setUp: "Setup file", keys: "Keys" },
    download: (what: string) => `Download: ${what}`,
    setUp: "Setup file",
    setUpHint:
      "You can edit the file before you apply it. Each person must be a member, or have “invite: true” in the section “people”.",
    preview: "Show plan",
    plan: "Plan",
    leftOut: "Not applied",
    apply: "Apply",
    applying: (done: number, of: number) => `${done} of ${count(of, "step", "steps")}`,
    applied: "Setup file applied.",
    result: "Result",
    keysHint: "The new API keys are shown only once: download the keys before you leave this page.",
  },
};
export type Texts = Catalogue<typeof texts>;
