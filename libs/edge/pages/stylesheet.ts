import { createHash } from 'node:crypto';
import { mixed, readableWith } from '@app/formats/colour';

/** What text and buttons stand on, in light and dark pages. */
const LIGHT = { paper: '#f3f5f8', card: '#ffffff', onAccent: '#ffffff' } as const;
const DARK = { paper: '#12161c', card: '#1b212a', onAccent: '#0e1d33' } as const;

/** The stylesheet of all pages. It is part of the code, so it needs no build step and no file. */
export const STYLESHEET = `:root {
  color-scheme: light dark;
  --paper: ${LIGHT.paper};
  --card: ${LIGHT.card};
  --line: #d5dae2;
  --field-line: #6b7686;
  --text: #1b2430;
  --quiet: #4d5866;
  --accent: #1a56a8;
  --accent-strong: #12407f;
  --on-accent: ${LIGHT.onAccent};
  --error: #b3211b;
  --error-paper: #fdf1f0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: ${DARK.paper};
    --card: ${DARK.card};
    --line: #333d4a;
    --field-line: #8a96a6;
    --text: #e8ecf2;
    --quiet: #b3bdca;
    --accent: #8ab8f5;
    --accent-strong: #b3d1fa;
    --on-accent: ${DARK.onAccent};
    --error: #ff9d94;
    --error-paper: #33201f;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--paper);
  color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
header, footer {
  max-width: 34rem;
  margin: 0 auto;
  padding: 0 clamp(1.5rem, 5vw, 2.5rem);
  overflow-wrap: anywhere;
}
header { margin-top: clamp(1rem, 6vh, 4rem); font-size: 1.125rem; font-weight: 650; }
footer { margin-bottom: 2rem; color: var(--quiet); font-size: .9375rem; }
main {
  max-width: 34rem;
  margin: clamp(0rem, 8vh, 5rem) auto;
  padding: clamp(1.5rem, 5vw, 2.5rem);
  background: var(--card);
  border: 1px solid var(--line);
  border-top: 4px solid var(--accent);
  border-radius: 6px;
  overflow-wrap: anywhere;
}
h1 { margin: 0 0 1rem; font-size: 1.625rem; line-height: 1.25; font-weight: 650; text-wrap: balance; }
p { margin: 0 0 1rem; }
header + main { margin-top: 1rem; }
main:has(+ footer) { margin-bottom: 1rem; }
main > :last-child, .error > :last-child { margin-bottom: 0; }
a { color: var(--accent); text-underline-offset: .15em; }
a:hover { color: var(--accent-strong); }
.note, .hint { color: var(--quiet); font-size: .9375rem; }
dl { margin: 0 0 1.5rem; border-top: 1px solid var(--line); }
dl div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .625rem 0; border-bottom: 1px solid var(--line); }
dt { flex: 0 0 9rem; color: var(--quiet); }
dd { flex: 1 1 12rem; margin: 0; }
.field { margin: 0 0 1.375rem; }
label { display: block; margin: 0 0 .375rem; font-weight: 600; }
.hint { margin: 0 0 .5rem; padding: 0 0 0 1.125rem; }
input {
  display: block;
  width: 100%;
  min-height: 2.875rem;
  padding: .5rem .75rem;
  border: 1px solid var(--field-line);
  border-radius: 4px;
  background: var(--card);
  color: inherit;
  font: inherit;
}
input[readonly] { background: var(--paper); border-color: var(--line); }
input[aria-invalid] { border: 2px solid var(--error); }
button, .button {
  display: inline-block;
  min-height: 2.875rem;
  padding: .625rem 1.375rem;
  border: 1px solid transparent;
  border-radius: 4px;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 600;
  text-decoration: none;
  cursor: pointer;
}
button:hover, .button:hover { background: var(--accent-strong); color: var(--on-accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 0 0 1.5rem; padding: 0; list-style: none; }
.actions li + li .button { border-color: currentColor; background: transparent; color: var(--accent); }
.actions li + li .button:hover { color: var(--accent-strong); }
.summary { margin: 0 0 1.5rem; padding: .75rem 1.25rem; border: 2px solid var(--error); border-radius: 4px; background: var(--error-paper); }
.summary:focus { outline: 2px solid var(--error); outline-offset: 2px; }
.hint li { margin: .125rem 0; }
.summary a { color: var(--error); font-weight: 600; }
.error { margin: 0 0 .5rem; color: var(--error); font-size: .9375rem; font-weight: 600; }
.error p { margin: 0 0 .25rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 36rem) {
  body { background: var(--card); }
  main { margin: 0; border-width: 4px 0 0; border-radius: 0; }
  header { margin: 0; padding-block: 1rem; background: var(--card); }
  header + main { margin-top: 0; }
  footer { margin: 0; padding-block: 1rem 2rem; border-top: 1px solid var(--line); }
  main:has(+ footer) { margin-bottom: 0; }
  button, .button { width: 100%; text-align: center; }
  .actions li { width: 100%; }
}
@media (forced-colors: active) {
  button, .button { border-color: ButtonText; }
}
`;

/** Each version of the stylesheet has its own URL, so browsers may cache it for long. */
export const STYLESHEET_VERSION = createHash('sha256').update(STYLESHEET).digest('hex').slice(0, 12);

const BLACK = '#000000';
const WHITE = '#ffffff';

/** How far a button under the pointer goes towards black or white. */
const STRONGER = 0.25;

/**
 * The style of a page in the colour of a brand. White text is readable on the colour; links in it stand on
 * the paper too, and dark pages turn it light, so it moves until all of them are readable. The page names
 * the style in its policy.
 */
export function brandStyle(colour: string): string {
  const light = readableWith(colour, BLACK, ...Object.values(LIGHT));
  const dark = readableWith(colour, WHITE, ...Object.values(DARK));
  const of = (accent: string, towards: string): string =>
    `:root{--accent:${accent};--accent-strong:${mixed(accent, towards, STRONGER)}}`;
  return `${of(light, BLACK)}@media (prefers-color-scheme:dark){${of(dark, WHITE)}}`;
}
