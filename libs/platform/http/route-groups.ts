/** The groups whose routes can match a path. */
interface Groups {
  /** Routes that name the collection of the path. */
  readonly own: string;
  /** Routes with as many segments and a parameter in its place. */
  readonly open: string;
}

/**
 * The group of a path is its number of segments and the last one that names a collection: the second, fourth or sixth. Like
 * Express it ignores case and a trailing slash.
 */
export function groupsOf(path: string): Groups {
  const segments = path.split('/');
  // The path begins with a slash.
  const count = segments.length - (path.endsWith('/') ? 2 : 1);
  const collection = count > 5 ? 6 : count > 3 ? 4 : count > 1 ? 2 : 1;
  return { own: `${count}/${segments[collection]?.toLowerCase()}`, open: `${count}/:` };
}

/** The group of a route with this pattern, which has a fixed number of segments. */
export function groupOfPattern(pattern: string): string {
  const { own, open } = groupsOf(pattern);
  return own.includes(':') ? open : own;
}
