/** The environment of a command that calls no service. */
export const offline = {
  env: {},
  fetch: () => Promise.reject(new Error("this command asks no service")),
  sleep: () => Promise.resolve(),
  progress: () => () => undefined,
  writeSecret: () => {
    throw new Error("this command has no secrets");
  },
};
