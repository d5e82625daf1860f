/**
 * Replaces `re2js` in the bundles with the file beside them, loaded when the first pattern is compiled. Most workspaces
 * have no pattern, so a first event does not wait for it.
 */
module.exports = {
  get RE2JS() {
    return require("./re2js.js").RE2JS;
  },
};
