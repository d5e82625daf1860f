// Loaded before anything else, and written in plain JavaScript, because an older Node cannot even parse the rest.
const needed = 24;
if (Number(process.versions.node.split(".")[0]) < needed) {
  process.stderr.write(
    `This needs Node ${needed} or newer, and this is ${process.version}: run "npm ci", which brings its own, and "npm start".\n`,
  );
  process.exit(1);
}
