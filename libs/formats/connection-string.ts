/** Not for the driver: libpq's choice of a server, which is always the one that accepts writes. */
const OWN_PARAMETERS = new Set(['target_session_attrs', 'load_balance_hosts']);
const ADDRESS_PARAMETERS = new Set(['host', 'port']);
/** `any` is libpq's default and selects none. */
const WRITABLE = new Set(['read-write', 'primary', 'any']);

/** What the driver takes. `prefer` and `allow` of libpq fall back to a connection in clear: it does not. */
const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify'];

const PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)([^?#]*)(?:\?([^#]*))?$/i;

/**
 * Splits a connection string into one for each server: `host1:5432,host2:5433` or
 * `?host=host1,host2&port=5432,5433`. Throws an error with the reason for an invalid one.
 */
export function urlsOfHosts(url: string): readonly string[] {
  const [, scheme, user = '', authority = '', database = '', query = ''] = PARTS.exec(url) ?? [];
  if (scheme === undefined) throw new Error('must be a URL starting with postgres:// or postgresql://');
  const parameters = new URLSearchParams(query);
  const wanted = parameters.get('target_session_attrs');
  if (wanted !== null && !WRITABLE.has(wanted))
    throw new Error('must have read-write as target_session_attrs: the service writes');
  const tlsMode = parameters.get('sslmode');
  if (tlsMode !== null && !TLS_MODES.includes(tlsMode))
    throw new Error(`must have one of ${TLS_MODES.join(', ')} as sslmode`);
  const hosts = (parameters.get('host') ?? authority).split(',');
  const ports = parameters.get('port')?.split(',') ?? [];
  if (ports.length > 1 && ports.length !== hosts.length) throw new Error('must name as many ports as hosts');
  const isOne = hosts.length === 1;
  // Other parameters are not changed, because the driver decodes them.
  const others = query.split('&').filter((part) => {
    const name = part.split('=')[0] ?? '';
    return part !== '' && !OWN_PARAMETERS.has(name) && (isOne || !ADDRESS_PARAMETERS.has(name));
  });
  return hosts.map((host, position) => {
    // A URL cannot contain folders or, without brackets, IPv6 addresses; libpq takes them in the parameter.
    const isParameter = host.startsWith('/') || (parameters.has('host') && host.includes(':'));
    const port = ports[position] ?? ports[0];
    const added = [
      ...(isParameter ? [`host=${encodeURIComponent(host)}`] : []),
      ...(port === undefined ? [] : [`port=${port}`]),
    ];
    // WHATWG URLs cannot have a user without a host. The driver prefers the parameter `host`.
    const serverOfOne = user === '' ? authority : authority || 'localhost';
    const server = isOne ? serverOfOne : isParameter ? 'localhost' : host;
    const rest = [...others, ...(isOne ? [] : added)].join('&');
    const url = `${scheme}${user}${server}${database}${rest === '' ? '' : `?${rest}`}`;
    if (!URL.canParse(url)) throw new Error('must be a URL whose hosts can be read');
    return url;
  });
}
