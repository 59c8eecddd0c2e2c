/**
 * Aborted by the first SIGINT or SIGTERM, for work that then ends where it can go on later. The second signal ends
 * the process at once; PostgreSQL rolls back what it left open.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
