import { Readable } from 'node:stream';
import { applyDecorators, HttpCode, SetMetadata, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { PIECE_BYTES } from './file-body';

export const FILE_RESPONSE_METADATA = 'wire:file-response';

/** Milliseconds that a client may take over a file: one that takes a byte now and then must not keep its memory. */
const MAX_SENDING = 600_000;

/** Pieces of a file that are in memory at once: one that is sent, one that waits, one that is being read. */
const PIECES_IN_MEMORY = 3;

/** A stored file for a client to save. */
export interface FileToSend {
  /** Its name with an extension, as people wrote it. */
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** The first of its pieces. */
  readonly first: Buffer;
  /** A later piece; undefined where it is there no more. */
  piece(position: number): Promise<Buffer | undefined>;
}

/** A response that is a file of the given type instead of JSON: the handler gives a {@link FileToSend}. */
export const RespondsWithFile = (type: string) =>
  applyDecorators(HttpCode(200), SetMetadata(FILE_RESPONSE_METADATA, type));

/** What a file takes of memory while it is sent. */
export const bytesInMemory = ({ size }: FileToSend): number => Math.min(size, PIECES_IN_MEMORY * PIECE_BYTES);

/** Sends a file bit by bit, as an attachment: no browser ever shows it as a page. */
export function fileResponse(file: FileToSend, response: Response): StreamableFile {
  const { name, type, size } = file;
  limitSending(response);
  const pieces = Readable.from(piecesOf(file), { objectMode: false, highWaterMark: 1 });
  const streamed = new StreamableFile(pieces, { type, length: size, disposition: attachment(name) });
  // Ending the answer in the usual way would make a cut file look whole.
  return streamed.setErrorHandler(() => response.destroy());
}

/** A client that is gone already is waited for by nobody: its response does not close once more. */
function limitSending(response: Response): void {
  if (response.destroyed) return;
  const deadline = setTimeout(() => response.destroy(), MAX_SENDING).unref();
  response.once('close', () => clearTimeout(deadline));
}

async function* piecesOf(file: FileToSend): AsyncGenerator<Buffer> {
  yield file.first;
  let sent = file.first.length;
  for (let position = 1; sent < file.size; position++) {
    const bytes = await file.piece(position);
    if (bytes === undefined) throw new Error('The file went while it was sent');
    sent += bytes.length;
    yield bytes;
  }
}

/** RFC 6266: letters that every client understands, and the name itself for those that know RFC 8187. */
export function attachment(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w.() -]/g, '_');
  const exact = encodeURIComponent(name).replaceAll(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${exact}`}`;
}
