/**
 * Replaces `firebase-admin` in the bundles with the file beside them, loaded before the first push through FCM. A sender that
 * has only browsers, email or telephones to send to never reads it.
 */
module.exports = require("./firebase-admin.js");
