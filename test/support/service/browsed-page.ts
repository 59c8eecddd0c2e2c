import { readFileSync } from 'node:fs';
import { ChromiumPage } from './chromium';
import { until } from './until';

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

const KEYS = {
  Tab: { code: 'Tab', windowsVirtualKeyCode: 9 },
  Enter: { code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
} as const;

/** A page in Chromium, used as a person does: by its address, keys and eyes. */
export class BrowsedPage {
  private constructor(private readonly chromium: ChromiumPage) {}

  static async open(program: string): Promise<BrowsedPage> {
    const chromium = await ChromiumPage.open(program);
    await chromium.command('Page.enable');
    await chromium.command('Accessibility.enable');
    return new BrowsedPage(chromium);
  }

  close = (): Promise<void> => this.chromium.close();
  evaluate = <Value>(expression: string): Promise<Value> => this.chromium.evaluate<Value>(expression);

  async show(width: number, scheme: 'light' | 'dark' = 'light', height = 800): Promise<void> {
    const screen = { width, height, deviceScaleFactor: 1, mobile: width < 600 };
    await this.chromium.command('Emulation.setDeviceMetricsOverride', screen);
    const features = [{ name: 'prefers-color-scheme', value: scheme }];
    await this.chromium.command('Emulation.setEmulatedMedia', { features });
  }

  /** Whether scripts of pages run; {@link evaluate} always does. */
  async allowScripts(isAllowed: boolean): Promise<void> {
    await this.chromium.command('Emulation.setScriptExecutionDisabled', { value: !isAllowed });
  }

  go = (url: string): Promise<void> => this.leaving(() => this.chromium.command('Page.navigate', { url }));

  /** Fills the fields in and sends the form. */
  send = (fields: Readonly<Record<string, string>> = {}): Promise<void> =>
    this.leaving(() =>
      this.evaluate(`(() => {
        for (const [id, value] of Object.entries(${JSON.stringify(fields)})) document.getElementById(id).value = value;
        document.querySelector('form').requestSubmit();
      })()`),
    );

  /** Does what leads to another document, and waits until that is shown. */
  async leaving(act: () => Promise<unknown>): Promise<void> {
    await this.evaluate('void (document.isLeft = true)');
    await act();
    await until(() =>
      // While the documents change there is nothing to ask.
      this.evaluate<boolean>(`document.readyState === 'complete' && !document.isLeft`).catch(() => false),
    );
  }

  async press(key: keyof typeof KEYS, shift = false): Promise<void> {
    const event = { key, ...KEYS[key], modifiers: shift ? 8 : 0 };
    await this.chromium.command('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
    await this.chromium.command('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  type = (text: string): Promise<unknown> => this.chromium.command('Input.insertText', { text });

  /** The id, class or tag of what has the focus. */
  focused = (): Promise<string> =>
    this.evaluate(`(({ id, className, localName }) => id || className || localName)(document.activeElement)`);

  /** What axe finds, a line each. */
  async faults(): Promise<string[]> {
    await this.evaluate(`typeof axe === 'undefined' ? void eval(${JSON.stringify(AXE)}) : undefined`);
    return this
      .evaluate(`axe.run(document, { runOnly: ${JSON.stringify(AXE_TAGS)} }).then(({ violations, incomplete }) =>
      [...violations, ...incomplete].flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
  }

  /** Pixels that the page is wider than the window. */
  overflow = (): Promise<number> =>
    this.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  /** The accessibility tree, as a screen reader walks through it. */
  async accessibleNodes(): Promise<AccessibleNode[]> {
    const { nodes } = await this.chromium.command<{ readonly nodes: readonly AxNode[] }>(
      'Accessibility.getFullAXTree',
    );
    return nodes
      .filter(({ ignored }) => !ignored)
      .map(({ role, name, description, properties = [] }) => ({
        role: role?.value ?? '',
        name: name?.value ?? '',
        description: description?.value ?? '',
        isInvalid: properties.some((one) => one.name === 'invalid' && one.value.value === 'true'),
      }));
  }

  /** The whole page as a PNG. */
  async picture(): Promise<Buffer> {
    const options = { format: 'png', captureBeyondViewport: true };
    const { data } = await this.chromium.command<{ data: string }>('Page.captureScreenshot', options);
    return Buffer.from(data, 'base64');
  }
}

interface AxNode {
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly description?: { readonly value: string };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value: unknown } }[];
}
