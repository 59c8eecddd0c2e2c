import Module from 'node:module';
import { join } from 'node:path';

/** jest's moduleNameMapper does not reach the global set-up, which runs outside of the test environment. */
const loader = Module as unknown as {
  _resolveFilename: (this: void, request: string, ...rest: unknown[]) => string;
};
const resolveFilename = loader._resolveFilename;
const root = join(__dirname, '../../..');

/** The paths of tsconfig.json. */
const resolved = (path: string): string => join(root, path.startsWith('config/') ? path : `libs/${path}`);

loader._resolveFilename = (request, ...rest) => {
  const path = request.startsWith('@app/') ? resolved(request.slice('@app/'.length)) : request;
  return resolveFilename(path, ...rest);
};
