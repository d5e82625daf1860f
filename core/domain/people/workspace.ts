import * as v from "valibot";
import { NAME_MAX_CODE_POINTS } from "../basics/limits.ts";
import { text } from "../basics/text.ts";

const name = text("name", NAME_MAX_CODE_POINTS);

export const WorkspaceInput = v.object({ name });
export type WorkspaceInput = v.InferOutput<typeof WorkspaceInput>;

export const WorkspacePatch = v.strictObject({ name: v.exactOptional(name) });
export type WorkspacePatch = v.InferOutput<typeof WorkspacePatch>;

export const Workspace = v.object({ id: v.string(), name: v.string(), createdAt: v.string() });
export type Workspace = v.InferOutput<typeof Workspace>;
