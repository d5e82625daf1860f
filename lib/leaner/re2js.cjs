/**
 * Stands in for `re2js` in the bundles: the whole of it, which runs when the first pattern is compiled. Most workspaces
 * have none, and a first event waits for nothing that only a pattern needs.
 */
module.exports = {
  get RE2JS() {
    return require("../../node_modules/re2js/build/index.cjs").RE2JS;
  },
};
