/** A threat in SECURITY.md, with the test files that attempt the attack. */
export type Threat = { threat: string; defence: string; files: string[] };

const ENTRY = /^- \*\*(?<threat>.+?)\.\*\* (?<defence>.+) \((?<files>(?:`test\/[^`]+`(?:, )?)+)\)\.$/;

/** Returns the threats in the lists of a Markdown page, each with its defence and the files that the entry names. */
export const readThreats = (page: string): Threat[] =>
  page
    .replaceAll("\n  ", " ")
    .split("\n")
    .flatMap((line) => {
      const { threat, defence, files } = ENTRY.exec(line)?.groups ?? {};
      if (threat === undefined || defence === undefined || files === undefined) return [];
      return [{ threat, defence, files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file) }];
    });
