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

describe('a phone contact', () => {
  it.each([
    ['+31612345678', '+31612345678'],
    ['+31 6 1234 5678', '+31612345678'],
    ['+31 (0)20 123-4567', '+31201234567'],
    ['+32 2/501.02.11', '+3225010211'],
    ['+1 (202) 555-0123', '+12025550123'],
  ])('%s is stored as %s', (name, e164) => {
    expect(canonicalContact('phone', name)).toEqual({ canonical: e164, uniqueKey: e164 });
  });

  it.each([
    '',
    '0612345678',
    '0031612345678',
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
