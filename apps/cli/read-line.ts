import { createInterface } from 'node:readline';
import { WrongUse } from './outcome';

/** The first line of a stream, which must hold something. Throws {@link WrongUse} when there is none. */
export async function readLine(stream: NodeJS.ReadableStream, something: string): Promise<string> {
  const lines = createInterface({ input: stream });
  try {
    for await (const line of lines) return line;
  } finally {
    lines.close();
  }
  throw new WrongUse(`standard input is empty: it must hold ${something}`);
}
