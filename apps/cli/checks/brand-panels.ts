import { Resolver } from 'node:dns/promises';
import { setMaxListeners } from 'node:events';
import { request } from 'node:https';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import type { DataSource } from 'typeorm';
import { isPublicAddress } from '@app/formats/public-address';
import { type Finding, ok, warning } from '@app/service/deployment/findings';

/** Panels that `doctor` asks, those of the first brands. */
const MOST_PANELS = 200;
/** Panels that it names. */
const MOST_NAMED = 5;
/** Questions at once. */
const AT_ONCE = 20;
/** Milliseconds for all of them. */
const PATIENCE = 10_000;
/** Milliseconds for one query to a name server. */
const LOOKUP_TIME = 2000;

const PANELS = `
  SELECT panel_url AS url, min(organisation_id) AS "organisationId" FROM brands WHERE panel_url <> ''
  GROUP BY panel_url ORDER BY min(organisation_id) LIMIT ${MOST_PANELS}`;

interface Panel {
  readonly url: string;
  /** One that has the brand. */
  readonly organisationId: number;
}

class NotAsked extends Error {
  readonly code = 'no public address';
}

/**
 * The addresses of a host that may be asked. Whoever wrote the URL does not lead `doctor` into the network of
 * the operator. Rejects with what the name server said if it knows none.
 */
async function addressesOf(host: string, isAllowed: (address: string) => boolean, signal: AbortSignal) {
  if (isIP(host) !== 0) return [host].filter(isAllowed);
  const resolver = new Resolver({ timeout: LOOKUP_TIME, tries: 1 });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  signal.removeEventListener('abort', cancel);
  const [first, second] = answers;
  if (first.status === 'rejected' && second.status === 'rejected') throw first.reason;
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])).filter(isAllowed);
}

/**
 * Rejects if nobody answers at the URL. Any status is an answer; it follows no redirection and reads no body.
 * It connects to the address that was judged, whatever the name leads to a moment later.
 */
export async function ask(
  url: string,
  signal: AbortSignal,
  isAllowed: (address: string) => boolean = isPublicAddress,
): Promise<void> {
  signal.throwIfAborted();
  const { hostname } = new URL(url);
  const [address] = await addressesOf(hostname.replace(/^\[(.*)\]$/, '$1'), isAllowed, signal);
  if (address === undefined) throw new NotAsked();
  const family = isIPv6(address) ? 6 : 4;
  const lookup: LookupFunction = (_host, { all }, give) =>
    all === true ? give(null, [{ address, family }]) : give(null, address, family);
  await new Promise<void>((resolve, reject) => {
    const asked = request(url, { method: 'HEAD', lookup, signal, agent: false }, (response) => {
      response.destroy();
      resolve();
    });
    asked.on('error', reject).end();
  });
}

const reasonOf = (error: unknown): string => (error as { code?: string }).code ?? (error as Error).message;

/** What `askAll` found. */
interface Answers {
  /** Panels that do not answer, with the reason. */
  readonly silent: readonly string[];
  /** How many it had no time to ask. */
  readonly unasked: number;
}

/** Asks one panel after the other, some at once, until the signal ends it. */
export async function askAll(
  panels: readonly Panel[],
  signal: AbortSignal,
  isAllowed?: (address: string) => boolean,
): Promise<Answers> {
  // Each question listens, and so does its request.
  setMaxListeners(2 * AT_ONCE, signal);
  const silent: string[] = [];
  const waiting = [...panels];
  const next = (): Panel | undefined => (signal.aborted ? undefined : waiting.shift());
  const askInTurn = async (): Promise<void> => {
    for (let panel = next(); panel !== undefined; panel = next()) {
      const { url, organisationId } = panel;
      await ask(url, signal, isAllowed).catch((error: unknown) => {
        const reason = signal.aborted ? 'no answer in time' : reasonOf(error);
        silent.push(`${url} of organisation ${organisationId} (${reason})`);
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askInTurn));
  return { silent, unasked: waiting.length };
}

/** Whether the panels of brands answer, to which mails lead. Undefined without any. */
export async function brandPanelsFinding({
  dataSource,
  pending,
}: {
  readonly dataSource: DataSource;
  readonly pending: number;
}): Promise<Finding | undefined> {
  if (pending > 0) return undefined;
  const panels = await dataSource.query<Panel[]>(PANELS);
  if (panels.length === 0) return undefined;
  const { silent, unasked } = await askAll(panels, AbortSignal.timeout(PATIENCE));
  if (silent.length === 0) return ok(`${panels.length - unasked} answer`);
  const more = silent.length > MOST_NAMED ? `, and ${silent.length - MOST_NAMED} more` : '';
  const rest = unasked > 0 ? `; no time was left to ask ${unasked} others` : '';
  return warning(
    `${silent.length} of ${panels.length} do not answer: ${silent.slice(0, MOST_NAMED).join(', ')}${more}${rest}`,
    'ask the reseller, or clear the panelUrl of the brand: links of mails lead there (docs/brands.md)',
  );
}
