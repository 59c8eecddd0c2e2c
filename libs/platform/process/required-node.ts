// The first import of every main file. Nest is published as ES modules, which an older Node cannot
// require: it would end with a stack that does not mention Node. scripts/node-version.mjs prints the
// same message before a build.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isFit = major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22;
if (!isFit) {
  process.stderr.write(`This needs Node 20.19, 22.12 or newer; here is ${process.versions.node}.\n`);
  process.exit(1);
}

export {};
