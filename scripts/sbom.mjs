// npm run sbom: which packages the image holds (CycloneDX), from the lock file. `npm sbom --omit=dev` of npm
// 11 leaves out each package that a tool of developers needs too, such as Express. So this takes the whole
// list, and keeps what the lock file marks neither for developers nor as optional: what the Dockerfile
// installs.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { name, packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const shipped = new Set(
  Object.entries(packages)
    .filter(([path, { dev, optional, devOptional }]) => path !== '' && !(dev || optional || devOptional))
    .map(([path, entry]) => `${entry.name ?? path.replace(/^.*node_modules\//, '')}@${entry.version}`),
);
const everything = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1e8,
});
const { metadata, components, dependencies, ...bom } = JSON.parse(everything);
const service = metadata.component['bom-ref'];
const shippedBom = {
  ...bom,
  // npm calls the service by the name of its folder.
  metadata: { ...metadata, component: { ...metadata.component, type: 'application', name } },
  // Of a package that is there twice, the list may describe the copy of a tool.
  components: components
    .filter((component) => shipped.has(component['bom-ref']))
    .map((component) => ({ ...component, scope: 'required', properties: [] })),
  dependencies: dependencies
    .filter(({ ref }) => ref === service || shipped.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => shipped.has(other)) })),
};
console.log(JSON.stringify(shippedBom, null, 2));
