import { describeUserAgent } from '@app/sign-in/auth/user-agent';
import { recognisedBrowser, recognisedSystem } from './program-names';

const recognised = (userAgent: string): { system: string; browser: string } => {
  const { os, browser } = describeUserAgent(userAgent);
  return { system: recognisedSystem(os), browser: recognisedBrowser(browser) };
};

describe('the names of programs', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:120.0) Gecko/20100101 Firefox/120.0',
      { system: 'Windows 10', browser: 'Firefox 120.0' },
    ],
    [
      'Mozilla/5.0 (Windows NT 5.1; rv:52.0) Gecko/20100101 Firefox/52.0',
      { system: 'Windows XP', browser: 'Firefox 52.0' },
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15',
      { system: 'macOS 10.15', browser: 'Safari 17.0' },
    ],
    [
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Safari/537.36',
      { system: 'Chrome OS', browser: 'Chrome 119.0' },
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36',
      { system: 'Android 14', browser: 'Samsung Internet for Android 23.0' },
    ],
    ['', { system: '', browser: '' }],
  ])('are recognised in %j', (userAgent, names) => {
    expect(recognised(userAgent)).toEqual(names);
  });

  it.each([
    'Call +31 6 12345678 at https://evil.example/now/1.0 (Windows NT 10.0)',
    'https://evil.example/login/2.0 x',
    'Your account is blocked/visit evil.example today',
    'curl/8.5.0',
  ])('are no text of the client: %j', (userAgent) => {
    const { system, browser } = recognised(userAgent);
    expect(browser).toBe('');
    expect(['', 'Windows 10']).toContain(system);
  });

  it('are followed by numbers alone', () => {
    expect(recognisedBrowser('Chrome evil.example')).toBe('Chrome');
    expect(recognisedBrowser('Chrome 5evil.example')).toBe('Chrome');
    expect(recognisedBrowser('Chromeevil 1.0')).toBe('');
    expect(recognisedBrowser(`Firefox ${'1'.repeat(120)}`)).toBe('Firefox');
    expect(recognisedSystem('Windows Vista')).toBe('Windows Vista');
    expect(recognisedSystem('Windows visit-evil')).toBe('Windows');
    expect(recognisedSystem('Windows Phone 8.1')).toBe('Windows Phone 8.1');
  });
});
