import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES, type SampleMail, sampleMails } from '../../support/generators/sample-mails';
import { BrowsedPage, CHROMIUM } from '../../support/service/browsed-page';

/** Where `npm run pages:screenshots` wants pictures, several mails on each. */
const PICTURES = process.env['PAGES_SCREENSHOTS'];
const MAILS_OF_A_PICTURE = 8;

/** A phone, and a reading pane on a desk. */
const WIDTHS = [360, 700] as const;

/** Without Chromium the suite is skipped: `apt-get install chromium`. */
(CHROMIUM === undefined ? describe.skip : describe)('in Chromium, the mails', () => {
  let page: BrowsedPage;
  beforeAll(async () => {
    page = await BrowsedPage.open(CHROMIUM ?? '');
  });
  afterAll(() => page.close());

  it.each(LANGUAGES)('have no fault that axe finds, and fit a phone: %s', async (language) => {
    const faults: string[] = [];
    for (const [index, { name, html }] of sampleMails(language).entries()) {
      await page.page.setContent(html);
      // Mails differ in their words alone, and axe takes a fifth of a second for each.
      if (index % 10 === 0) for (const fault of await page.faults()) faults.push(`${name}: ${fault}`);
      for (const width of WIDTHS) {
        await page.show(width);
        if ((await page.overflow()) > 0) faults.push(`${name} is wider than ${width} pixels`);
      }
    }
    expect(faults).toEqual([]);
  });

  (PICTURES === undefined ? it.skip : it).each(LANGUAGES)('are shown together: %s', async (language) => {
    mkdirSync(PICTURES ?? '', { recursive: true });
    const mails = sampleMails(language);
    await page.show(4 * 420);
    for (let first = 0; first < mails.length; first += MAILS_OF_A_PICTURE) {
      await page.page.setContent(sheetOf(mails.slice(first, first + MAILS_OF_A_PICTURE)));
      const path = join(PICTURES ?? '', `mails-${language}-${String(first).padStart(3, '0')}.png`);
      await page.page.screenshot({ path, fullPage: true });
    }
  });
});

/** Mails beside each other, each under its name. */
function sheetOf(mails: readonly SampleMail[]): string {
  const cells = mails.map(({ name, html }) => {
    const [, body = ''] = /<main>([^]*)<\/main>/.exec(html) ?? [];
    return `<div style="width:400px;display:inline-block;vertical-align:top;margin:6px"><code>${name}</code>${body}</div>`;
  });
  return `<!DOCTYPE html><meta charset="utf-8">${cells.join('')}`;
}
