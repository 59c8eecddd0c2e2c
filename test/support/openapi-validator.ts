import { execFile } from 'node:child_process';

/** Prints what is wrong with the document on standard input; the validator is an ES module, which jest cannot load. */
const SCRIPT = `
  import { Validator } from '@seriousme/openapi-schema-validator';
  let text = '';
  for await (const part of process.stdin) text += part;
  const { valid, errors } = await new Validator().validate(JSON.parse(text));
  process.stdout.write(JSON.stringify(valid ? [] : [errors].flat()));
`;

/** What a validator of OpenAPI documents finds wrong with one. */
export function errorsOfDocument(document: object): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      ['--input-type=module', '--eval', SCRIPT],
      { maxBuffer: 50_000_000 },
      (error, output) => {
        if (error === null) resolve(JSON.parse(output) as unknown[]);
        else reject(new Error('The validator failed', { cause: error }));
      },
    );
    child.stdin?.end(JSON.stringify(document));
  });
}
