import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { FolderTransport, type MailMessage } from './mail-transport';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'account-api-mail-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function written(message: Partial<MailMessage>): Promise<string> {
  const mail = { subject: 'Subject', text: 'Text', html: '<p>Text</p>', messageId: '<1.a@b.example>' };
  const addresses = { from: 'from@b.example', to: 'to@b.example' };
  await new FolderTransport(join(folder, 'mail')).deliver({ ...mail, ...addresses, ...message });
  const [name, ...others] = readdirSync(join(folder, 'mail'));
  expect(others).toEqual([]);
  return readFileSync(join(folder, 'mail', name ?? ''), 'utf8');
}

const headerNames = (mail: string): string[] =>
  (mail.split('\r\n\r\n')[0] ?? '')
    .split('\r\n')
    .filter((line) => !/^\s/.test(line))
    .map((line) => (line.split(':')[0] ?? '').toLowerCase())
    .sort();

/** Names of all headers of a mail of this service. */
const HEADERS = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'subject',
  'to',
  'x-auto-response-suppress',
];

describe('FolderTransport', () => {
  it('writes a whole mail that only its owner can read', async () => {
    const mail = await written({});
    expect(headerNames(mail)).toEqual(HEADERS);
    expect(mail).toContain('From: from@b.example\r\n');
    expect(mail).toContain('To: to@b.example\r\n');
    expect(mail).toContain('Message-ID: <1.a@b.example>\r\n');
    expect(mail).toContain('Auto-Submitted: auto-generated\r\n');
    expect(mail).toContain('X-Auto-Response-Suppress: All\r\n');
    const [name = ''] = readdirSync(join(folder, 'mail'));
    expect(name).toMatch(/^[\w.-]+\.eml$/);
    expect(statSync(join(folder, 'mail', name)).mode & 0o777).toBe(0o600);
  });

  it.each([
    'a\r\nBcc: evil@x.example',
    'a\nBcc: evil@x.example',
    'a\r\n\r\n<b>body</b>',
    'a\rBcc: evil@x.example',
  ])('keeps %j out of the headers', async (value) => {
    const mail = await written({ subject: value, text: value, messageId: `<${value}@b.example>` });
    expect(headerNames(mail)).toEqual(HEADERS);
  });

  // rule pages 40
  it.each([
    'Invitation to =?utf-8?B?SGFja2Vk?=',
    `=?utf-8?Q?Hacked?= ${'in a long name '.repeat(10)}of one`,
    'Who writes =? writes no word',
    `Café =?utf-8?B?SGFja2Vk?= ${'é'.repeat(60)}`,
  ])('shows %j as it was written', async (subject) => {
    const mail = await written({ subject });
    expect(headerNames(mail)).toEqual(HEADERS);
    const { subject: shown } = await PostalMime.parse(mail);
    expect(shown).toBe(subject);
    for (const line of mail.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78);
  });
});
