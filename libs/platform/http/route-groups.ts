import express, { type Express, type Router } from 'express';

/** What lets a pattern match paths of several lengths: a wildcard, or an optional part. */
const ANY_LENGTH = /[*{]/;

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

/**
 * Lets Express try only the routes of a request's group. It tries routes one after another: 115 of them took 14 of a read's 130
 * microseconds on Node 26. Routes that are added from now on are in groups. Those with a parameter in the collection's place or
 * a wildcard are tried after them. Call it after the middleware that every request passes.
 *
 * Check at an upgrade of Express: `application.get` and its like still add their route by `this.route(path)`.
 */
export function routeByGroups(application: Express): void {
  const groups = new Map<string, Router>();
  application.use((request, response, next) => {
    const group = groups.get(groupsOf(request.path).own);
    if (group === undefined) next();
    else group(request, response, next);
  });
  const routeOfAll = application.route.bind(application);
  application.route = (pattern: string) => {
    const name = groupOfPattern(pattern);
    if (name.endsWith(':') || ANY_LENGTH.test(pattern)) return routeOfAll(pattern);
    const group = groups.get(name) ?? express.Router();
    groups.set(name, group);
    return group.route(pattern);
  };
}
