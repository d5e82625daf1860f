import { useEffect, useState } from "preact/hooks";
import { createResource, type Loaded, type Resource } from "../app/resource.ts";

/** Loads data as long as the part is shown. A different `key` loads the data again. Returns undefined before the first load. */
export const useResource = <Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  everySeconds: number,
  key: string,
): Loaded<Data> | undefined => {
  const [resource, setResource] = useState<Resource<Data>>();
  useEffect(() => {
    const made = createResource(load, everySeconds);
    setResource(made);
    return made.close;
  }, [key]);
  return resource?.state.value;
};
