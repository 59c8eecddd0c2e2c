/** The address of a server, as `--old` and `--new` say it: where paths of a file count from. */
export class ServerAddress {
  readonly origin: string;
  /** Of the address itself, such as `/v1`, without a slash at its end. */
  readonly ownPath: string;
  /** With the port, if it is not the one of the protocol. */
  readonly host: string;
  readonly hostname: string;

  private constructor(url: URL) {
    this.origin = url.origin;
    this.ownPath = url.pathname.replace(/\/+$/, '');
    this.host = url.host;
    this.hostname = url.hostname;
  }

  /** Nothing for what is no plain http address: a password in it would be shown in reports. */
  static read(text: string | undefined): ServerAddress | undefined {
    if (text === undefined || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
    const url = new URL(text);
    if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
    return new ServerAddress(url);
  }

  /** As it is shown: without a slash at its end. */
  get text(): string {
    return `${this.origin}${this.ownPath}`;
  }

  /** The path on the server of a path that counts from the address, or from the server itself. */
  pathOf(path: string, countsFromServer: boolean): string {
    if (countsFromServer) return `${this.ownPath.replace(VERSION_AT_END, '')}${path}`;
    const isVersioned = VERSION_AT_END.test(this.ownPath);
    return `${this.ownPath}${isVersioned ? path.replace(VERSION_AT_START, '/') : path}`;
  }

  /** Where a link to this server leads, counted from the address; nothing for any other text. */
  linkIn(text: string): string | undefined {
    const isLink = text.startsWith(this.origin) && /^(?:[/?#]|$)/.test(text.slice(this.origin.length));
    return isLink ? this.relative(text.slice(this.origin.length)) : undefined;
  }

  /** The path without the own path of the address before it. */
  relative(path: string): string {
    const { ownPath } = this;
    if (ownPath !== '' && startsWithPath(path, ownPath)) return withSlash(path.slice(ownPath.length));
    return VERSION_AT_END.test(ownPath) ? path.replace(VERSION_AT_START, '/') : path;
  }
}

const VERSION_AT_END = /\/v1$/;
const VERSION_AT_START = /^\/v1(?:\/|(?=\?|$))/;

const startsWithPath = (path: string, start: string): boolean =>
  path.startsWith(start) && (path.length === start.length || '/?'.includes(path.charAt(start.length)));

const withSlash = (path: string): string => (path.startsWith('/') ? path : `/${path}`);

/** What a request of a file addresses. */
export interface Target {
  /** Path and query as servers read them, counted from the address of the old server: what is judged. */
  readonly path: string;
  /** The same as the file has it, byte for byte: what is sent. */
  readonly line: string;
  /** The host that the file names, if it names one. */
  readonly host?: string;
}

/** What a URL or a path of a file addresses; nothing where it addresses nothing. */
export function targetOf(text: string, old: ServerAddress): Target | undefined {
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  if (isUrl && !/^https?:/i.test(text)) return undefined;
  // A path that begins with two slashes must not become the name of a host.
  const address = (isUrl ? text : `${old.origin}${withSlash(text)}`).replaceAll(/[^!-~]/g, percentEncoded);
  if (text === '' || text === '*' || !URL.canParse(address)) return undefined;
  const { pathname, search, host } = new URL(address);
  // No request line holds a fragment of a URL, or a blank.
  const sent = isUrl
    ? withSlash(text.replace(/^[^:]*:\/\/[^/?#]*/, '').replace(/#.*$/, ''))
    : withSlash(text);
  return {
    path: old.relative(`${pathname}${search}`),
    line: old.relative(sent.replaceAll(/[\0- ]/g, percentEncoded)),
    ...(isUrl && { host }),
  };
}

const percentEncoded = (byte: string): string =>
  `%${byte.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;
