import { createPrivateKey } from "node:crypto";
import * as v from "valibot";

const isPrivateKey = (pem: string): boolean => {
  try {
    createPrivateKey(pem);
    return true;
  } catch {
    return false;
  }
};

/** Google's key file, as stored in the secret. */
const KeyFile = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    project_id: v.pipe(v.string(), v.nonEmpty()),
    client_email: v.pipe(v.string(), v.nonEmpty()),
    private_key: v.pipe(v.string(), v.check(isPrivateKey)),
  }),
);

export type ServiceAccount = { projectId: string; clientEmail: string; privateKey: string };

/** Parses Google's key file. Returns undefined for an invalid text, because an error would quote the secret. */
export const parseServiceAccount = (text: string): ServiceAccount | undefined => {
  const parsed = v.safeParse(KeyFile, text);
  if (!parsed.success) return undefined;
  const { project_id, client_email, private_key } = parsed.output;
  return { projectId: project_id, clientEmail: client_email, privateKey: private_key };
};
