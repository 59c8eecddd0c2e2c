import { Readable } from 'node:stream';
import { parser } from 'stream-json/parser.js';
import { type HarToken, HarTokens } from './har-tokens';
import { BrokenFile, type Entry } from './recorded';

/**
 * Requests of a HAR file. Answers may be large: their texts come in pieces, which are passed over, so that
 * no answer is held.
 */
export async function* har(chunks: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const tokens = parser.asStream({ packStrings: false, streamKeys: false, streamNumbers: false });
  const source = Readable.from(chunks);
  source.on('error', (error) => tokens.destroy(error));
  source.pipe(tokens);
  const entries = new HarTokens();
  try {
    for await (const token of tokens as AsyncIterable<HarToken>) {
      const entry = entries.take(token);
      if (entry !== undefined) yield entry;
    }
  } catch (error) {
    if (error instanceof BrokenFile) throw error;
    throw new BrokenFile(`it breaks off, or is no JSON, after entry ${entries.position}`);
  } finally {
    source.destroy();
    tokens.destroy();
  }
  if (!entries.isWhole) throw new BrokenFile(`it breaks off, or is no JSON, after entry ${entries.position}`);
  if (!entries.isHar) throw new BrokenFile('it has no log.entries');
}
