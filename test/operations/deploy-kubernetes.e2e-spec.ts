import { readdirSync, readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { basename, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { AddressList } from '@app/formats/ip-address';
import { isPublicAddress } from '@app/formats/public-address';
import { complaintsOf } from '../support/generators/resource-definitions';
import { useFiles } from '../support/service/files';

const FOLDER = join(__dirname, '../../deploy/kubernetes');
/**
 * Read by kustomize, never by a cluster; `test/operations/deploy.e2e-spec.ts` runs
 * kustomize where it is installed.
 */
const KUSTOMIZATION = 'kustomization.yaml';
/** Values of a chart. */
const VALUES = 'autoscaling/prometheus-adapter.yaml';

/** The package with the schemas of an API group that is not Kubernetes' own. */
const PACKAGES: Readonly<Record<string, string>> = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

/**
 * Groups whose schemas no package brings. `KUBERNETES_CRDS` names a folder with the definitions of
 * their implementations, such as `kubectl get crd --output yaml > crds/all.yaml` writes; without it
 * nothing is compared with them.
 */
const DEFINED_ELSEWHERE = [
  'gateway.envoyproxy.io',
  'traefik.io',
  'cilium.io',
  'postgresql.cnpg.io',
  'barmancloud.cnpg.io',
];
const DEFINITIONS = process.env['KUBERNETES_CRDS'];

interface NetworkPolicySpec {
  readonly policyTypes: readonly string[];
  readonly egress: readonly {
    readonly to: readonly { readonly ipBlock: { readonly cidr: string; readonly except?: string[] } }[];
    readonly ports: readonly { readonly port: number }[];
  }[];
}

/** `0.0.0.0/0` is none for whitelists. */
const inRange = (cidr: string): ((address: string) => boolean) =>
  cidr === '0.0.0.0/0' ? isIPv4 : (address) => AddressList.of([cidr]).includes(address);

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

/** What Kubernetes' own schema of a kind, compiled, throws where an object is not as it says. */
interface Model {
  validate(): void;
}
type ModelClass = new (data: object) => Model;

const documentsOf = (file: string) => parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8'));

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml') && basename(file) !== KUSTOMIZATION && file !== VALUES)
  .sort();
const groupOf = ({ apiVersion }: Manifest): string => apiVersion.split('/')[0] ?? '';
const isDefinedElsewhere = (manifest: Manifest): boolean => DEFINED_ELSEWHERE.includes(groupOf(manifest));

const all = files.flatMap((file) =>
  documentsOf(file).map((document) => {
    const manifest = document.toJS() as Manifest;
    return [`${file}: ${manifest.kind}`, manifest] as const;
  }),
);
const manifests = all.filter(([, manifest]) => !isDefinedElsewhere(manifest));
const foreign = all.filter(([, manifest]) => isDefinedElsewhere(manifest));

/** `apps/v1` and `v1` are folders of a package; groups of Kubernetes itself end in their first word. */
async function modelOf(manifest: Manifest): Promise<ModelClass> {
  const { apiVersion, kind } = manifest;
  const path = `${PACKAGES[groupOf(manifest)] ?? 'kubernetes-models'}/${apiVersion}`;
  const models = (await import(path)) as Record<string, ModelClass | undefined>;
  const model = models[kind];
  if (model === undefined) throw new Error(`Kubernetes has no ${kind} in ${apiVersion}`);
  return model;
}

/** Tells of each part of an object whether it was read since. */
function watchReads(object: object, path: string, unread: Set<string>): void {
  for (const [key, part] of Object.entries(object) as [string, unknown][]) {
    const place = Array.isArray(object) ? `${path}[${key}]` : `${path}.${key}`;
    if (typeof part === 'object' && part !== null) watchReads(part, place, unread);
    unread.add(place);
    Object.defineProperty(object, key, { get: () => (unread.delete(place), part) });
  }
}

/**
 * Throws where an object is not as its schema says, and gives what the schema does not know of it:
 * that would be ignored, such as a word that is spelt wrong. Schemas leave it open, but compiled
 * they read all that they know.
 */
async function unknownIn(manifest: Manifest): Promise<string[]> {
  const model = new (await modelOf(manifest))(manifest);
  const unread = new Set<string>();
  watchReads(model, '', unread);
  model.validate();
  return [...unread];
}

const first = (kind: string): Manifest => {
  const found = all.find(([, manifest]) => manifest.kind === kind);
  if (found === undefined) throw new Error(`There is no ${kind}`);
  return structuredClone(found[1]);
};

it.each(manifests)(
  'deploy/kubernetes/%s is as the schema of Kubernetes has it, and holds nothing that it does not know',
  async (_, manifest) => {
    expect(await unknownIn(manifest)).toEqual([]);
  },
);

const itByDefinition = DEFINITIONS === undefined ? it.skip : it;
itByDefinition.each(foreign)(
  'deploy/kubernetes/%s is as its definition in KUBERNETES_CRDS has it',
  (_, manifest) => {
    const complaints = complaintsOf(DEFINITIONS ?? '', manifest);
    // Cilium's definitions are not at hand everywhere.
    if (complaints !== undefined || groupOf(manifest) !== 'cilium.io') expect(complaints).toEqual([]);
  },
);

it('deploy/kubernetes has every kind that is needed, and each kustomization.yaml names each file of its folder once', () => {
  const kinds = new Set(all.map(([, { kind }]) => kind));
  expect([...kinds].sort()).toEqual(
    [
      'BackendTrafficPolicy',
      'CiliumNetworkPolicy',
      'ClientTrafficPolicy',
      'Cluster',
      'ConfigMap',
      'Deployment',
      'Gateway',
      'HTTPRoute',
      'HorizontalPodAutoscaler',
      'Job',
      'Middleware',
      'Namespace',
      'NetworkPolicy',
      'ObjectStore',
      'PodDisruptionBudget',
      'Pooler',
      'ScheduledBackup',
      'Service',
      'ServiceMonitor',
    ].sort(),
  );
  for (const folder of ['', 'autoscaling/']) {
    const [kustomization] = documentsOf(`${folder}${KUSTOMIZATION}`);
    const { resources } = kustomization?.toJS() as { resources: string[] };
    const own = files.filter((file) => file === folder + basename(file));
    expect(resources.map((file) => folder + file).sort()).toEqual(own);
  }
});

it('deploy/kubernetes: each file for a program beside Kubernetes says what was not run', () => {
  const beside = all.filter(([, manifest]) => isDefinedElsewhere(manifest) || groupOf(manifest) in PACKAGES);
  const paths = new Set([...beside.map(([title]) => title.split(':')[0] ?? ''), VALUES]);
  expect(paths.size).toBeGreaterThan(8);
  for (const path of paths) {
    const text = readFileSync(join(FOLDER, path), 'utf8').replaceAll(/\s*\n#\s*/g, ' ');
    expect([path, /[Nn]ot run|not run/.test(text)]).toEqual([path, true]);
  }
});

it('deploy/kubernetes: the NetworkPolicy lets pods out to what they need, and to no private network for webhooks', () => {
  const { spec } = first('NetworkPolicy') as Manifest & { spec: NetworkPolicySpec };
  expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
  const ports = spec.egress.flatMap((rule) => rule.ports.map(({ port }) => port));
  expect([...new Set(ports)].sort((one, other) => one - other)).toEqual([53, 443, 465, 587, 5432, 6432]);
  const webhooks = spec.egress.find((rule) => rule.ports.every(({ port }) => port === 443));
  const blocks = (webhooks?.to ?? []).map(({ ipBlock }) => ({
    within: inRange(ipBlock.cidr),
    except: AddressList.of(ipBlock.except ?? []),
  }));
  const isReached = (address: string): boolean =>
    blocks.some(({ within, except }) => within(address) && !except.includes(address));
  for (const address of ['8.8.8.8', '203.0.114.1', '2606:4700::1']) {
    expect([address, isPublicAddress(address), isReached(address)]).toEqual([address, true, true]);
  }
  for (const address of [
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '127.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '168.63.129.16',
    '198.18.0.1',
    '192.0.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    'fd00::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
  ])
    expect([address, isPublicAddress(address), isReached(address)]).toEqual([address, false, false]);
});

it('the check of deploy/kubernetes finds a wrong type, something that is missing, and a word that is spelt wrong', async () => {
  const { spec, ...rest } = first('Deployment') as Manifest & { spec: object };
  const changed = (change: object): Promise<string[]> => unknownIn({ ...rest, ...change });
  await expect(changed({ spec: { ...spec, replicas: 'two' } })).rejects.toThrow('/spec/replicas');
  await expect(changed({ spec: { replicas: 2 } })).rejects.toThrow('selector');
  await expect(changed({ spec: { ...spec, replica: 2 } })).resolves.toEqual(['.spec.replica']);
  await expect(changed({ spec, apiVersion: 'v1' })).rejects.toThrow('Kubernetes has no Deployment in v1');
});

const definitions = useFiles();

it('the check by KUBERNETES_CRDS finds what a definition does not know', () => {
  definitions.write(
    'middleware.yaml',
    `kind: CustomResourceDefinition
spec:
  group: traefik.io
  names: { kind: Middleware }
  versions:
    - name: v1alpha1
      schema:
        openAPIV3Schema:
          type: object
          properties:
            apiVersion: { type: string }
            kind: { type: string }
            metadata: { type: object }
            spec:
              type: object
              properties:
                buffering: { type: object, properties: { maxRequestBodyBytes: { type: integer } } }
`,
  );
  const manifest = first('Middleware') as Manifest & { spec: { buffering: object } };
  expect(complaintsOf(definitions.folder, manifest)).toEqual([]);
  const spelt = { ...manifest, spec: { buffering: { maxRequestBodyByte: 1, maxRequestBodyBytes: 'x' } } };
  expect(complaintsOf(definitions.folder, spelt)).toEqual([
    expect.stringContaining('maxRequestBodyByte"'),
    expect.stringContaining('/spec/buffering/maxRequestBodyBytes must be integer'),
  ]);
  expect(complaintsOf(definitions.folder, first('Cluster'))).toBeUndefined();
});
