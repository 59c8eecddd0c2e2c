import type { RequestFile } from './files/open';
import type { Tallies } from './tallies';

const OFTEN = 200;
const SELDOM = 10_000;
const BAR = 30;

/** Shows how far a run is: a bar on a terminal, a line every ten seconds elsewhere. Gives what ends it. */
export function watch(file: RequestFile, tallies: Tallies, output: NodeJS.WriteStream): () => void {
  const isTerminal = output.isTTY;
  const show = () => {
    const { sent, different, skipped } = tallies.total;
    const part = file.size === 0 ? 1 : Math.min(file.bytesRead / file.size, 1);
    const counts = `${sent} sent, ${different} different, ${skipped} skipped`;
    const percent = `${Math.floor(part * 100)} % of the file`;
    const filled = Math.round(part * BAR);
    output.write(
      isTerminal
        ? `\r\u001b[K[${'#'.repeat(filled)}${' '.repeat(BAR - filled)}] ${percent}, ${counts}`
        : `${percent} read, ${counts}\n`,
    );
  };
  const timer = setInterval(show, isTerminal ? OFTEN : SELDOM);
  return () => {
    clearInterval(timer);
    if (isTerminal) output.write('\r\u001b[K');
  };
}
