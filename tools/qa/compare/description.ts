import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A method and a path of the interface. */
export interface Operation {
  /** As the kit names it: `GET /organisations/{organisationId}/users`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Whether its path counts from the server, not from the address with `/v1`. */
  readonly countsFromServer: boolean;
}

interface Node {
  readonly literals: Map<string, Node>;
  parameter?: Node;
  readonly operations: Map<string, Operation>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const FOLDER = join(__dirname, '../../../docs');

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch']);

const newNode = (): Node => ({ literals: new Map(), operations: new Map() });

/** The operations that the descriptions of all variants know. */
export class Description {
  private readonly root = newNode();
  private readonly byName = new Map<string, Operation>();

  /** Reads `docs/openapi-*.json`. */
  static read(folder = FOLDER): Description {
    const description = new Description();
    for (const file of readdirSync(folder).filter((name) => /^openapi-\w+\.json$/.test(name))) {
      description.add(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Document);
    }
    return description;
  }

  /** The operation of a path that counts from the address of a server. */
  find(method: string, path: string): Operation | undefined {
    const [pathname = ''] = path.split('?');
    const segments = segmentsOf(pathname.replace(/^\/v1(?=\/|$)/, ''));
    const found = operationsAt(this.root, segments)?.get(method === 'HEAD' ? 'GET' : method);
    return found !== undefined && method === 'HEAD' ? headOf(found) : found;
  }

  /** The operation of this name, whatever its parameters are called. */
  named(name: string): Operation | undefined {
    return this.byName.get(withoutNames(name));
  }

  private add({ paths }: Document): void {
    for (const [path, item] of Object.entries(paths)) {
      const countsFromServer = !path.startsWith('/v1/');
      const relative = path.replace(/^\/v1(?=\/)/, '');
      for (const method of Object.keys(item).filter((key) => METHODS.has(key))) {
        const name = `${method.toUpperCase()} ${relative}`;
        this.addOperation({ name, method: method.toUpperCase(), path: relative, countsFromServer });
      }
    }
  }

  private addOperation(operation: Operation): void {
    let node = this.root;
    for (const segment of segmentsOf(operation.path)) node = childOf(node, segment);
    if (!node.operations.has(operation.method)) node.operations.set(operation.method, operation);
    this.byName.set(withoutNames(operation.name), operation);
  }
}

/** A HEAD is an operation of its own in reports: its answer has no body. */
const headOf = (operation: Operation): Operation => ({
  ...operation,
  name: `HEAD ${operation.path}`,
  method: 'HEAD',
});

/** Without empty segments: servers merge slashes. */
const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

export const withoutNames = (operation: string): string =>
  operation
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\{[^}]*\}/g, '{}')
    .replace(/^HEAD /, 'GET ');

function childOf(node: Node, segment: string): Node {
  if (/^\{.*\}$/.test(segment)) return (node.parameter ??= newNode());
  const known = node.literals.get(segment);
  if (known !== undefined) return known;
  const made = newNode();
  node.literals.set(segment, made);
  return made;
}

/** A segment that the description names goes before a parameter. */
function operationsAt(
  node: Node,
  [segment, ...rest]: readonly string[],
): ReadonlyMap<string, Operation> | undefined {
  if (segment === undefined) return node.operations.size > 0 ? node.operations : undefined;
  const literal = node.literals.get(segment);
  const found = literal && operationsAt(literal, rest);
  if (found !== undefined || node.parameter === undefined) return found;
  return operationsAt(node.parameter, rest);
}

/** Such a GET acts, in a part of the panel that is not described here. */
export function retriesJob(path: string): boolean {
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // No UTF-8: compared as it is.
  }
  return /(?:^|[/\\])jobs(?:[/\\;].*)?[/\\]retry(?=$|[/\\;?#.])/i.test(decoded);
}

/** A path that no description knows, for `--all`: what may be an identifier is none of its name. */
export function unknownOperation(method: string, path: string): Operation {
  const [pathname = ''] = path.split('?');
  const shape = segmentsOf(pathname)
    .slice(0, MOST_SEGMENTS)
    .map((segment) => (/^[a-z][a-z_-]{0,24}$/i.test(segment) ? segment : '{…}'));
  const name = `/${shape.join('/')}`;
  return { name: `${method} ${name}`, method, path: name, countsFromServer: false };
}

const MOST_SEGMENTS = 12;
