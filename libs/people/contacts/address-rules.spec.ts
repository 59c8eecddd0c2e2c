import { canonicalContact } from './address-rules';

describe('an e-mail contact', () => {
  it('keeps its spelling and is unique without regard to case', () => {
    expect(canonicalContact('email', 'Ann.Bee@Example.COM')).toEqual({
      canonical: 'Ann.Bee@Example.COM',
      uniqueKey: 'ann.bee@example.com',
    });
  });

  it.each(['', 'ann', 'a@b.example\r\nBcc: c@d.example', 'Ann <a@b.example>', 'a@b.example,c@d.example'])(
    'refuses %j',
    (name) =>
      expect(canonicalContact('email', name)).toEqual({
        error: {
          reason: 'INVALID_EMAIL_ADDRESS',
          message: expect.stringContaining('e-mail address') as string,
        },
      }),
  );
});

it('is the same e-mail contact in letters and in ASCII', () => {
  const contact = { canonical: 'Jan@xn--mnchen-3ya.example', uniqueKey: 'jan@xn--mnchen-3ya.example' };
  expect(canonicalContact('email', 'Jan@m\u00fcnchen.example')).toEqual(contact);
  expect(canonicalContact('email', 'Jan@xn--mnchen-3ya.example')).toEqual(contact);
});

describe('a phone contact', () => {
  it.each([
    ['+31612345678', '+31612345678'],
    ['+31 6 1234 5678', '+31612345678'],
    ['+31 (0)20 123-4567', '+31201234567'],
    ['+32 2/501.02.11', '+3225010211'],
    ['+1 (202) 555-0123', '+12025550123'],
    // As phones and web pages hand numbers over.
    ['\u202d+31\u00a020\u00a0123\u00a04567\u202c', '+31201234567'],
    ['\u200e+31 20 123 4567\u200f', '+31201234567'],
    ['\u2068+31\u202f20\u2009123\u30004567\u2069', '+31201234567'],
    ['+31\u201120\u2010123\u20134567', '+31201234567'],
    ['+31\u221220\u00ad123\u20144567', '+31201234567'],
    ['+31\ufe6320\uff0d123\u20604567', '+31201234567'],
    ['0031612345678', '+31612345678'],
    ['00 31 (0)20 123 4567', '+31201234567'],
    ['\u00a000\u201131612345678', '+31612345678'],
    [' +31612345678 ', '+31612345678'],
  ])('%s is stored as %s', (name, e164) => {
    expect(canonicalContact('phone', name)).toEqual({ canonical: e164, uniqueKey: e164 });
  });

  it.each([
    '',
    '0612345678',
    '00',
    '000',
    '+0031612345678',
    '(00)31612345678',
    '01131612345678',
    '+31\t612345678',
    '+12',
    '+999123456789',
    '+31612345678 ext. 5',
    '+31612345678x5',
    '+31612345678\n',
    '+31612345678;ext=5',
    'tel:+31612345678',
    '+３１６１２３４５６７８',
    '+3161234567890123',
    'ann',
    `+${'1'.repeat(50)}`,
  ])('refuses %j', (name) => {
    expect(canonicalContact('phone', name)).toEqual({
      error: { reason: 'INVALID_PHONE_NUMBER', message: expect.stringContaining('phone number') as string },
    });
  });
});

describe('a Slack contact', () => {
  it.each([
    ['#ops', 'ops'],
    ['ops', 'ops'],
    ['#team-1_nl', 'team-1_nl'],
    ['#büro', 'büro'],
    ['#運用', '運用'],
    ['a'.repeat(80), 'a'.repeat(80)],
    [`#${'a'.repeat(80)}`, 'a'.repeat(80)],
  ])('%s is kept and compared as %s', (name, uniqueKey) => {
    expect(canonicalContact('slack', name)).toEqual({ canonical: name, uniqueKey });
  });

  it('is the same in both Unicode spellings', () => {
    expect(canonicalContact('slack', 'bu\u0308ro')).toMatchObject({ uniqueKey: 'b\u00fcro' });
  });

  it.each(['', '#', '##ops', '#Ops', 'my channel', 'a.b', '@ann', '-_-', 'a'.repeat(81), '#ops\n', '#a#b'])(
    'refuses %j',
    (name) =>
      expect(canonicalContact('slack', name)).toEqual({
        error: {
          reason: 'INVALID_SLACK_CHANNEL',
          message: expect.stringContaining('Slack channel') as string,
        },
      }),
  );
});
