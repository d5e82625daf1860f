import { useState } from "preact/hooks";
import { createApi } from "../app/api.ts";
import { definePage } from "../app/page.tsx";
import { workspaces } from "../app/workspace.ts";
import { Form, TextField } from "../parts/form.tsx";
import { texts } from "../page-texts/frame.ts";

const FirstWorkspaceView = () => {
  const [name, setName] = useState("");
  const createWorkspace = async (): Promise<undefined> => {
    await createApi("")("workspaces/create-workspace", { body: { name } });
    await workspaces.value?.refresh();
    return undefined;
  };
  return (
    <>
      <p>{texts.first.lead}</p>
      <Form send={createWorkspace} submit={texts.first.create} fields={["name"]}>
        <TextField label={texts.first.name} name="name" value={name} onValue={setName} />
      </Form>
    </>
  );
};

export const page = definePage({ heading: texts.noWorkspace, load: async () => null, View: FirstWorkspaceView });
