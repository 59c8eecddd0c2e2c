import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const textOf = (path: string): string => readFileSync(join(__dirname, '../..', path), 'utf8');
const WORKFLOW = '.github/workflows/release.yml';

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
const workflow = parse(textOf(WORKFLOW)) as {
  readonly permissions: object;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly needs?: string;
        readonly permissions: Readonly<Record<string, string>>;
        readonly steps: readonly Step[];
      }
    >
  >;
};
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
const stepOf = (action: string): Step => {
  const found = steps.find(({ uses }) => uses?.startsWith(`${action}@`));
  if (found === undefined) throw new Error(`No step uses ${action}`);
  return found;
};

it('release.yml pins each action by the digest of a commit, with its version beside', () => {
  const lines = textOf(WORKFLOW)
    .split('\n')
    .filter((line) => /\buses:/.test(line));
  expect(lines.length).toBe(steps.filter(({ uses }) => uses !== undefined).length);
  for (const line of lines) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

it('release.yml builds for amd64 and arm64, with provenance and a list of files, and signs what it built', () => {
  const { with: build } = stepOf('docker/build-push-action');
  expect(build).toMatchObject({
    platforms: 'linux/amd64,linux/arm64',
    provenance: 'mode=max',
    sbom: true,
    push: true,
  });
  const digest = '${{ steps.build.outputs.digest }}';
  expect(stepOf('docker/build-push-action').id).toBe('build');
  expect(stepOf('actions/attest-build-provenance').with).toMatchObject({ 'subject-digest': digest });
  const signing = steps.find(({ run }) => run?.includes('cosign sign'));
  expect(signing).toMatchObject({ env: { SUBJECT: `\${{ env.IMAGE }}@${digest}` } });
  // A tag may move between the build and the signature.
  expect(textOf(WORKFLOW).match(/cosign (sign|attest) .*"\$SUBJECT"/g)).toHaveLength(2);
});

it('release.yml has no permission but those that it needs', () => {
  expect(workflow.permissions).toEqual({});
  expect(Object.values(workflow.jobs).map(({ permissions }) => permissions)).toEqual([
    { contents: 'read' },
    { contents: 'read', packages: 'write', 'id-token': 'write', attestations: 'write' },
  ]);
});

it('release.yml publishes nothing before FULL=1 .ci/run has passed', () => {
  const { checks, image } = workflow.jobs;
  expect(checks?.steps.at(-1)?.run).toBe('FULL=1 .ci/run');
  expect(image?.needs).toBe('checks');
});

it('release.yml attests what docs/release.md verifies', () => {
  const page = textOf('docs/release.md');
  expect(page).toContain('.github/workflows/release.yml@refs/tags/v');
  expect(page).toMatch(/cosign verify-attestation "\$IMAGE@\$DIGEST" --type cyclonedx/);
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const predicate = /--predicate (\S+)/.exec(textOf(WORKFLOW))?.[1];
  expect(scripts['sbom']).toContain(`> ${predicate}`);
});
