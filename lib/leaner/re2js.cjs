/**
 * Replaces `re2js` in the bundles with all of it, loaded when the first pattern is compiled. Most workspaces have no
 * pattern, so a first event does not wait for it.
 */
module.exports = {
  get RE2JS() {
    return require("../../node_modules/re2js/build/index.cjs").RE2JS;
  },
};
