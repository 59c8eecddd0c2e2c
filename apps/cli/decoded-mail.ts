/** A mail in readable form. */
export interface DecodedMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Decodes a mail that the service has written to a file: headers, and the plain text of its parts. */
export function decodedMail(content: string): DecodedMail {
  const { headers, body } = partOf(content.replaceAll('\r\n', '\n'));
  const boundary = /boundary="?([^";]+)"?/.exec(headers.get('content-type') ?? '')?.[1];
  const parts =
    boundary === undefined
      ? [{ headers, body }]
      : `\n${body}`.split(`\n--${boundary}`).slice(1, -1).map(partOf);
  const plain = parts.find((part) =>
    (part.headers.get('content-type') ?? 'text/plain').startsWith('text/plain'),
  );
  if (plain === undefined) throw new Error('The mail has no plain text');
  return {
    to: headers.get('to') ?? '',
    subject: decodedWords(headers.get('subject') ?? ''),
    text: decoded(plain.body, plain.headers.get('content-transfer-encoding')).replaceAll('\r\n', '\n'),
  };
}

interface Part {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

function partOf(content: string): Part {
  const text = content.replace(/^\n/, '');
  const [head = ''] = text.split('\n\n', 1);
  const lines = head.replaceAll(/\n[ \t]+/g, ' ').split('\n');
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(':');
    return [name.toLowerCase(), value.join(':').trim()];
  });
  return { headers: new Map(headers), body: text.slice(head.length + 2) };
}

/** Each character of a `latin1` text is one byte. */
function decoded(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString('utf8');
  return Buffer.from(unquoted(body.replaceAll('=\n', '')), 'latin1').toString('utf8');
}

const unquoted = (text: string): string =>
  text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** RFC 2047: `=?UTF-8?Q?…?=` and `=?UTF-8?B?…?=`. Blanks between two such words are ignored. */
const decodedWords = (text: string): string =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : Buffer.from(unquoted(word.replaceAll('_', ' ')), 'latin1').toString('utf8'),
    );
