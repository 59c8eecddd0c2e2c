import { existsSync, readFileSync } from 'node:fs';
import { type CDPSession, chromium, type Page } from 'playwright-core';

/** Where Debian's package `chromium`, and others, put the browser. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 A and AA, and what axe recommends beyond. */
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** A node of the accessibility tree. */
export interface AccessibleNode {
  readonly role: string;
  readonly name: string;
  readonly description: string;
  readonly isInvalid: boolean;
}

/** A page in Chromium, used as a person does: by its address, keys and eyes. */
export class BrowsedPage {
  private constructor(
    readonly page: Page,
    readonly devTools: CDPSession,
  ) {}

  static async open(executablePath: string): Promise<BrowsedPage> {
    const browser = await chromium.launch({ executablePath });
    const page = await browser.newPage();
    return new BrowsedPage(page, await page.context().newCDPSession(page));
  }

  close = async (): Promise<void> => this.page.context().browser()?.close();

  async show(width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<void> {
    await this.page.setViewportSize({ width, height: 800 });
    await this.page.emulateMedia({ colorScheme });
  }

  /** Whether scripts of pages run; those of tests always do. */
  async allowScripts(isAllowed: boolean): Promise<void> {
    await this.devTools.send('Emulation.setScriptExecutionDisabled', { value: !isAllowed });
  }

  /** Fills the fields in and sends the form. */
  async send(fields: Readonly<Record<string, string>> = {}): Promise<void> {
    for (const [id, value] of Object.entries(fields)) await this.page.fill(`#${id}`, value);
    await this.leaving(() => this.page.evaluate(`document.querySelector('form').requestSubmit()`));
  }

  /** Does what leads to another document, and waits until that is shown. */
  async leaving(act: () => Promise<unknown>): Promise<void> {
    await Promise.all([this.page.waitForEvent('load'), act()]);
  }

  /** The id, class or tag of what has the focus. */
  focused = (): Promise<string> =>
    this.page.evaluate(
      `(({ id, className, localName }) => id || className || localName)(document.activeElement)`,
    );

  /** What axe finds, a line each. */
  async faults(): Promise<string[]> {
    await this.page.evaluate(`typeof axe === 'undefined' ? void eval(${JSON.stringify(AXE)}) : undefined`);
    return this.page
      .evaluate(`axe.run(document, { runOnly: ${JSON.stringify(AXE_TAGS)} }).then(({ violations, incomplete }) =>
      [...violations, ...incomplete].flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
  }

  /** Pixels that the page is wider than the window. */
  overflow = (): Promise<number> =>
    this.page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  /** The accessibility tree, as a screen reader walks through it. */
  async accessibleNodes(): Promise<AccessibleNode[]> {
    const { nodes } = await this.devTools.send('Accessibility.getFullAXTree');
    return nodes
      .filter(({ ignored }) => !ignored)
      .map(({ role, name, description, properties = [] }) => ({
        role: String(role?.value ?? ''),
        name: String(name?.value ?? ''),
        description: String(description?.value ?? ''),
        isInvalid: properties.some((one) => one.name === 'invalid' && one.value.value === 'true'),
      }));
  }
}
