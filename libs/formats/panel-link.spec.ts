import { withPanel } from './panel-link';

const LINK = '{panel}/reset/0123';

it.each([
  ['https://panel.example', 'https://panel.example/reset/0123'],
  ['https://panel.example/', 'https://panel.example/reset/0123'],
  ['https://panel.example/mine//', 'https://panel.example/mine/reset/0123'],
])('a link begins with the panel %s', (panelUrl, link) => {
  expect(withPanel(LINK, panelUrl)).toBe(link);
});

it('leaves other links as they are', () => {
  for (const link of ['https://api.example/{panel}', '']) expect(withPanel(link, undefined)).toBe(link);
});

it('throws without a panel', () => {
  expect(() => withPanel(LINK, undefined)).toThrow('PANEL_URL');
});
