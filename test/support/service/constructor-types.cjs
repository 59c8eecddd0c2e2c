// node constructor-types.cjs FOLDER: prints what each class of a build tells Nest of its
// constructor, a line each.
const { readdirSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');

const folder = process.argv[2];
const load = createRequire(join(folder, 'index.js'));
load('reflect-metadata');
const lines = [];
/** For an imported type the builds write Function or Object; @Inject names the provider then. */
const nameOf = (type) => (type === Function ? 'Object' : (type?.name ?? 'nothing'));
const { metadata } = Reflect;
Reflect.metadata = (key, value) => {
  const decorate = metadata(key, value);
  return (target, property) => {
    if (key === 'design:paramtypes' && property === undefined) {
      lines.push(`${target.name}: ${value.map(nameOf).join(', ')}`);
    }
    decorate(target, property);
  };
};
/** These act when they are loaded. */
const ACTS = /main\.js$|-worker\.js$|data-source\.js$/;
for (const path of readdirSync(folder, { recursive: true }).sort()) {
  if (path.endsWith('.js') && !ACTS.test(path)) load(join(folder, path));
}
process.stdout.write(lines.sort().join('\n'), () => process.exit(0));
