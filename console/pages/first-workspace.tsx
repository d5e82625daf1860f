import { useState } from "preact/hooks";
import { createApi } from "../app/api.ts";
import { workspaces } from "../app/workspace.ts";
import { Form, TextField } from "../parts/form.tsx";
import { Heading } from "../parts/host.tsx";
import { texts } from "../texts.ts";

/** For somebody who is in no workspace yet. */
export const FirstWorkspace = () => {
  const [name, setName] = useState("");
  const create = async (): Promise<undefined> => {
    await createApi("")("workspaces/create-workspace", { body: { name } });
    await workspaces.value?.refresh();
    return undefined;
  };
  return (
    <>
      <Heading text={texts.noWorkspace.heading} />
      <p>{texts.noWorkspace.lead}</p>
      <Form send={create} submit={texts.noWorkspace.create} fields={["name"]}>
        <TextField label={texts.noWorkspace.name} name="name" value={name} onValue={setName} />
      </Form>
    </>
  );
};
