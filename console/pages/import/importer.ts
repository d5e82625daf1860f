import type * as importer from "#importer";
import { readServiceTime } from "../../app/clock.ts";
import { createLocalFailure } from "../../app/failure.ts";
import { loadPart } from "../../app/part.ts";
import { getAccessToken } from "../../app/session.ts";
import { texts } from "../../page-texts/import.ts";

type Importer = typeof importer;

/** Sends a request with the reader's token, and renews a refused token once. */
const fetchAsReader: typeof fetch = async (input, init) => {
  const sendWithToken = (token: string): Promise<Response> => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
  const token = await getAccessToken();
  const answer = await sendWithToken(token);
  return answer.status === 401 ? sendWithToken(await getAccessToken(token)) : answer;
};

export const createImporterConnection = (workspaceId: string): importer.BrowserConnection => ({
  baseUrl: location.origin,
  workspaceId,
  now: readServiceTime,
  fetch: fetchAsReader,
});

/** Calls `use` with the loaded importer. Replaces an error that the reader can fix by a `Failed` with a fault per line. */
export const withImporter = async <Done>(use: (importer: Importer) => Promise<Done>): Promise<Done> => {
  const loaded = await loadPart(() => import("#importer"));
  try {
    return await use(loaded);
  } catch (error) {
    const message = loaded.readFixableMessage(error);
    if (message === undefined) throw error;
    const lines = message.split("\n").map(texts.import.remark);
    const faults = lines.map((line, index) => ({ field: String(index), code: "", message: line }));
    throw createLocalFailure(lines.join("\n"), faults);
  }
};
