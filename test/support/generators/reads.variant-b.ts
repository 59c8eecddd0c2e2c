import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VariantName } from '@app/config/settings';
import type { AccessWorld, Place, PlaceUser } from './access-world';

/** A line of a file of requests (docs/switch-over.md). */
export interface RecordedRead {
  readonly method: 'GET';
  readonly path: string;
  readonly as: string;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const readPaths = (variant: VariantName): string[] => {
  const file = join(__dirname, `../../../docs/openapi-${variant.toLowerCase()}.json`);
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as Description;
  return Object.keys(paths)
    .filter((path) => path.startsWith('/v1/') && paths[path]?.['get'] !== undefined)
    .map((path) => path.slice('/v1'.length));
};

/** What a parameter stands for that no record has. */
const NOTHING = 'nothing';

const filled = (path: string, place: Place, user: PlaceUser): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const known = {
      ...place.records,
      ...user.records,
      organisationId: place.organisationId,
      userId: user.id,
    };
    return String(known[name as keyof typeof known] ?? NOTHING);
  });

/** Every read of a variant, or of some of its routes, at every place, by everybody who is given, in turn. */
export function readsOf(
  variant: VariantName,
  { places }: AccessWorld,
  actors: readonly string[],
  routes?: ReadonlySet<string>,
): RecordedRead[] {
  const nameOf = (path: string): string => `GET /v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  const paths = readPaths(variant).filter((path) => routes?.has(nameOf(path)) ?? true);
  return places.flatMap((place) =>
    actors.flatMap((as) =>
      paths.flatMap((path) =>
        (path.includes('{userId}') ? place.users : place.users.slice(0, 1)).map((user) => ({
          method: 'GET' as const,
          path: filled(path, place, user),
          as,
        })),
      ),
    ),
  );
}
