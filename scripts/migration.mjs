// npm run migration:create and migration:generate: TypeORM's command, with a number
// behind those of all migrations.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { readWords, refuse } from './words.mjs';

const { positionals } = readWords(`npm run ${process.argv[2]} -- libs/migrations/NAME`, {
  words: 2,
  options: { dataSource: { type: 'string' } },
});
if (positionals.length < 2) refuse('A path is missing');

const numbers = readdirSync('libs/migrations').map((file) => Number(/^(\d{13})-/.exec(file)?.[1] ?? 0));
const next = Math.max(Date.now(), Math.max(...numbers) + 1000);

const register = './scripts/typescript-register.cjs';
const typeorm = ['-r', register, 'node_modules/typeorm/cli.js', ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, [...typeorm, '--timestamp', String(next)], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);
const format = [
  'node_modules/prettier/bin/prettier.cjs',
  '--write',
  '--log-level',
  'warn',
  'libs/migrations',
];
process.exit(spawnSync(process.execPath, format, { stdio: 'inherit' }).status ?? 1);
