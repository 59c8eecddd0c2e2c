/** The least contrast of text (WCAG 2.2, success criterion 1.4.3). */
export const READABLE = 4.5;

type Channels = readonly [red: number, green: number, blue: number];

const channelsOf = (colour: string): Channels => [
  Number.parseInt(colour.slice(1, 3), 16),
  Number.parseInt(colour.slice(3, 5), 16),
  Number.parseInt(colour.slice(5, 7), 16),
];

/** Relative luminance, as WCAG defines it. */
function luminanceOf(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Of two colours as `#rrggbb`: from 1, the same one, to 21, black and white. */
export function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** The colour with a share of another one, from 0 to 1. */
export function mixed(colour: string, other: string, share: number): string {
  const others = channelsOf(other);
  const channels = channelsOf(colour).map((channel, index) =>
    Math.round(channel + ((others[index] ?? 0) - channel) * share),
  );
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

const STEPS = 50;

/** The colour, moved towards another one as little as makes it readable with all these colours. */
export function readableWith(colour: string, towards: string, ...backgrounds: readonly string[]): string {
  for (let step = 0; step <= STEPS; step++) {
    const moved = mixed(colour, towards, step / STEPS);
    if (backgrounds.every((background) => contrastOf(moved, background) >= READABLE)) return moved;
  }
  return towards;
}
