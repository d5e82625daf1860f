/** The world of a command that asks no service. */
export const offline = {
  env: {},
  fetch: () => Promise.reject(new Error("this command asks no service")),
  sleep: () => Promise.resolve(),
};
