import { liveDeps } from "../../core/live.ts";
import * as silences from "../../core/store/silences.ts";
import { deletion } from "../http/deletion.ts";

export const deleteSilence = deletion("sil", "silenceId", silences.deleteSilence);

export const handler = deleteSilence(liveDeps());
