import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  envExample,
  firstSettings,
  kubernetesSettings,
  settingsDocument,
  systemdExample,
} from '../tools/docs/settings.cjs';
import { readSettings } from './env';
import { SETTING_NAMES, settingsByHeading } from './setting-table';

const textOf = (path: string): string => readFileSync(join(__dirname, '..', path), 'utf8');

it('has each name once', () => {
  expect(SETTING_NAMES.filter((name, index) => SETTING_NAMES.indexOf(name) !== index)).toEqual([]);
});

it('is what docs/settings.md shows (npm run docs)', () => {
  const page = textOf('docs/settings.md');
  expect(page).toBe(settingsDocument(page, settingsByHeading(), readSettings({})));
  // No heading has a list of settings that have gone.
  const shown = [...page.matchAll(/^- \*\*`([A-Z_]+)`/gm)].map(([, name = '']) => name);
  expect(shown.filter((name) => !name.startsWith('OTEL_') && !SETTING_NAMES.includes(name))).toEqual([]);
});

it('is what .env.example shows (npm run docs)', () => {
  expect(textOf('.env.example')).toBe(envExample(settingsByHeading(), readSettings({})));
});

it.each([
  ['README.md', { heading: 'Settings', column: 'Meaning' }],
  ['docs/operations.md', { heading: 'Settings of a first deployment', column: 'Example' }],
] as const)('is what %s shows of a first deployment (npm run docs)', (path, place) => {
  const page = textOf(path);
  expect(page).toBe(firstSettings(page, place, settingsByHeading()));
});

it.each([
  ['deploy/systemd/common.env.example', systemdExample],
  ['deploy/kubernetes/settings.yaml', kubernetesSettings],
])('is what %s has (npm run docs)', (path, made) => {
  expect(textOf(path)).toBe(made(settingsByHeading()));
});
