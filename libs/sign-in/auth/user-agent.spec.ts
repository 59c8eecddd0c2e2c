import { describeUserAgent } from './user-agent';

describe('describeUserAgent', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:120.0) Gecko/20100101 Firefox/120.0',
      { os: 'Windows 10', browser: 'Firefox 120.0' },
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15',
      { os: 'macOS 10.15.7', browser: 'Safari 17.0' },
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Safari/537.36',
      { os: 'Linux', browser: 'Chrome 119.0.0.0' },
    ],
    ['', { os: '', browser: '' }],
    ['  ', { os: '', browser: '' }],
    ['\u00ff\u0001(((', { os: '', browser: '' }],
  ])('reads %j', (userAgent, described) => {
    expect(describeUserAgent(userAgent)).toEqual(described);
  });

  it('cuts what no column holds', () => {
    const { browser } = describeUserAgent(`Firefox/${'1'.repeat(400)}`);
    expect(browser).toHaveLength(128);
  });
});
