import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** Clock ticks a second of the counters in /proc, on every Linux that Node runs on. */
const TICKS = 100;

/** `stat` of a process behind its name, which may hold spaces: state, parent, … */
const statOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return undefined;
  }
};

const microsecondsOf = (stat) => ((Number(stat[11]) + Number(stat[12])) / TICKS) * 1e6;

/** Microseconds of processor time that a process has taken. Linux only: elsewhere 0. */
export const processorTimeOf = (pid) => {
  const stat = statOf(pid);
  return stat === undefined ? 0 : microsecondsOf(stat);
};

/** Gives a function that says how many microseconds of processor time a PostgreSQL server has taken with all its processes. */
export async function postgresProcessorTime(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const postmaster = statOf(rows[0].pid)?.[1];
  await client.end();
  return () =>
    postmaster === undefined
      ? 0
      : readdirSync('/proc')
          .filter((name) => /^\d+$/.test(name))
          .map(statOf)
          .filter((stat) => stat?.[1] === postmaster)
          .reduce((sum, stat) => sum + microsecondsOf(stat), 0);
}
