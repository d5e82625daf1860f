// Loaded before anything else, and plain JavaScript: an older Node cannot even read the rest.
const needed = 24;
if (Number(process.versions.node.split(".")[0]) < needed) {
  process.stderr.write(
    `This needs Node ${needed} or newer, and this is ${process.version}: run "npm ci", which brings its own, and "npm start".\n`,
  );
  process.exit(1);
}
