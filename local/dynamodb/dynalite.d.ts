/** Parts of dynalite 4, which comes without types, as they are used without its HTTP server. */
declare module "dynalite/db/index.js" {
  import type { Level } from "level";
  import type { Readable } from "node:stream";

  type Callback = (error: unknown, value?: unknown) => void;
  export type Store = {
    db: Omit<Level<string, unknown>, "get"> & {
      createValueStream: (options: object) => Readable;
      get: (key: string, callback: Callback) => void;
    };
    tableDb: {
      get: (name: string, callback: Callback) => void;
      del: (name: string, callback: Callback) => void;
    };
  };
  type Path = readonly (string | number)[];
  const db: {
    create: (options: { path?: string; createTableMs: number }) => Store;
    mapPath: (path: Path, item: object) => unknown;
  };
  export default db;
}

declare module "dynalite/validations/index.js" {
  const validations: {
    /** Gives the input with the known fields only. */
    checkTypes: (input: object, types: object) => object;
    /** Throws, and parses the expressions into fields of the input that start with `_`. */
    checkValidations: (input: object, types: object, custom: unknown, store: unknown) => void;
  };
  export default validations;
}
