// Loaded before anything else, and written in plain JavaScript, because an older Node cannot even parse the rest.
const needed = 24;
if (Number(process.versions.node.split(".")[0]) < needed) {
  process.stderr.write(
    `This needs Node ${needed} or newer, and this is ${process.version}: "npm ci" brings one for Linux, Windows and ` +
      "Intel's Macs; elsewhere, install it and run this again.\n",
  );
  process.exit(1);
}
