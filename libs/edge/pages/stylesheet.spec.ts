import { contrastOf, READABLE } from '@app/formats/colour';
import { brandStyle, STYLESHEET } from './stylesheet';

/** The value of a variable in the light or dark half of a style. */
const valueIn = (style: string, scheme: 'light' | 'dark', name: string): string => {
  const [light = '', dark = ''] = style.split('@media (prefers-color-scheme: dark)');
  return new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(scheme === 'light' ? light : dark)?.[1] ?? '';
};

/** Channels at every eighth of their range, and their ends. */
const CHANNELS = [0, 16, 48, 80, 112, 144, 176, 208, 255];
const ACCEPTED = CHANNELS.flatMap((red) =>
  CHANNELS.flatMap((green) =>
    CHANNELS.map(
      (blue) => `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`,
    ),
  ),
).filter((colour) => contrastOf(colour, '#ffffff') >= READABLE);

it.each(['light', 'dark'] as const)('every accepted colour is readable in %s pages', (scheme) => {
  expect(ACCEPTED.length).toBeGreaterThan(200);
  const paper = valueIn(STYLESHEET, scheme, 'paper');
  const card = valueIn(STYLESHEET, scheme, 'card');
  const onAccent = valueIn(STYLESHEET, scheme, 'on-accent');
  for (const colour of [...ACCEPTED, '#767676']) {
    const style = brandStyle(colour).replaceAll(/:(?=[#(])|:(?=dark)/g, ': ');
    for (const name of ['accent', 'accent-strong']) {
      const accent = valueIn(style.replaceAll('scheme:dark', 'scheme: dark'), scheme, name);
      for (const background of [paper, card, onAccent])
        expect([colour, name, background, contrastOf(accent, background) >= READABLE]).toEqual([
          colour,
          name,
          background,
          true,
        ]);
    }
  }
});

it('a colour that is readable everywhere stays in light pages', () => {
  expect(brandStyle('#1a56a8')).toMatch(/^:root\{--accent:#1a56a8;/);
});
