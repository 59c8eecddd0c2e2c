import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { jsonParts } from '../lists/long-list';
import { markReadsOn } from './long-responses';

/** A body as JSON: a text, or where it holds long lists, a stream that reads them. */
export function jsonResponse(body: object): string | StreamableFile {
  const json = jsonParts(body);
  return typeof json === 'string' ? json : markReadsOn(streamedJson(json));
}

/** JSON that is written as its parts come. */
export function streamedJson(parts: AsyncIterable<string>): StreamableFile {
  const stream = Readable.from(parts, { objectMode: false });
  return new StreamableFile(stream, { type: 'application/json; charset=utf-8' }).setErrorHandler(
    (error, response) => {
      // Ending the response in the usual way would make half of it look like an error of the client's.
      stream.destroy(error);
      response.destroy?.();
    },
  );
}
