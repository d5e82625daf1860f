/** A threat in SECURITY.md, with the test files that attempt the attack. */
export type Threat = { threat: string; defence: string; files: string[] };

const ROW = /^\| (?<threat>[^|]+?) +\| (?<defence>[^|]+?) +\| (?<files>(?:`test\/[^`]+`(?:, )?)+) *\|$/;

/** Returns the threats in the table of a Markdown page, each with its defence and the files that the row names. */
export const readThreats = (page: string): Threat[] =>
  page.split("\n").flatMap((line) => {
    const { threat, defence, files } = ROW.exec(line)?.groups ?? {};
    if (threat === undefined || defence === undefined || files === undefined) return [];
    return [{ threat, defence, files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file) }];
  });
