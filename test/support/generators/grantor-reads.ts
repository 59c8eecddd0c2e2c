import type { ApiClient } from '../service/client';
import type { Call } from './access-calls';
import { type DescribedRoute, type Interface, nameOfRoute } from './interface';

/** An organisation whose records are filled into paths. */
export interface ReadPlace {
  readonly organisationId: number;
  readonly userId: number;
  readonly records: Readonly<Record<string, number>>;
  readonly recordsOfUser: Readonly<Record<string, number>>;
}

/** A credential and its name in messages. */
export interface Reader {
  readonly name: string;
  readonly client: ApiClient;
}

/** A GET request and its name in messages. */
export interface NamedCall extends Call {
  readonly name: string;
  readonly reader: Reader;
  readonly route: DescribedRoute;
}

const NO_RECORD = 1;

/**
 * Every GET route of the variant, with the organisation in its path and the records that
 * the path names of one place.
 */
export const readsOf = (
  { routes }: Interface,
  reader: Reader,
  organisationId: number,
  place: ReadPlace,
): NamedCall[] =>
  routes
    .filter(({ method }) => method === 'GET')
    .map((route) => {
      const values: Readonly<Record<string, number | undefined>> = {
        ...place.records,
        ...(/users\/:userId\/./.test(route.path) && place.recordsOfUser),
        organisationId,
        userId: place.userId,
      };
      const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => String(values[name] ?? NO_RECORD));
      return callOf(reader, route, path);
    });

const callOf = (reader: Reader, route: DescribedRoute, path: string): NamedCall => ({
  name: `${reader.name}: GET ${path}`,
  reader,
  route,
  method: 'GET',
  path,
  hash: reader.client.hash,
});

const withQuery = (call: NamedCall, query: string): NamedCall =>
  callOf(call.reader, call.route, `${call.path}?${query}`);

const parametersOf = ({ described }: DescribedRoute) =>
  (described.parameters ?? []).filter((parameter) => parameter.in === 'query');

export const isList = ({ route }: NamedCall): boolean =>
  parametersOf(route).some(({ name }) => name === 'orderBy');

/** The same list in every order, in both directions. */
export const inEveryOrder = (call: NamedCall): NamedCall[] => {
  const orders = parametersOf(call.route).find(({ name }) => name === 'orderBy')?.schema.enum ?? [];
  if (orders.length === 0) throw new Error(`${nameOfRoute(call.route)} names no orders`);
  return orders.flatMap((order) =>
    ['ASC', 'DESC'].map((direction) =>
      withQuery(call, `limit=0&orderBy=${String(order)}&orderType=${direction}`),
    ),
  );
};

/** The same request with a text in each search parameter, one at a time. */
export const searchingFor = (call: NamedCall, text: string): NamedCall[] =>
  ['filter', ...parametersOf(call.route).map(({ name }) => name)]
    .filter((name) => !['limit', 'offset', 'orderBy', 'orderType', 'format'].includes(name))
    .map((name) => withQuery(call, `${name}=${encodeURIComponent(text)}`));

/** The same request for all rows, as csv, and with what lies beneath. */
export const otherFormsOf = (call: NamedCall): NamedCall[] => [
  { ...call, name: `${call.name} as csv`, headers: { accept: 'text/csv' } },
  withQuery(call, isList(call) ? 'limit=0' : 'beneath=true'),
];
