import request, { type Response } from 'supertest';
import { PRIVILEGES } from '@app/security/access/privileges';
import { RouteTable, type ServedRoute } from '@app/security/access/route-table';
import { servedPath } from '../../../qa/deployment';
import { writtenOut } from '../../../tools/docs/written-out.cjs';
import { makeBrand } from '../factories/brands-factories';
import { PDF, XML } from '../factories/documents-factories';
import { makeCustomer, nextNumber, PASSWORD } from '../factories/factories';
import { makeServiceKey, newPublicKey } from '../factories/key-factories';
import { storePasskey } from '../factories/passkey-factories';
import { type ApiClient, asAdmin } from '../service/client';
import { ADMIN, type TestService } from '../service/service';
import { triedRoutes } from './own-routes';

/** The part of a JSON schema that examples are made from. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface DescribedBody {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, object>>;
}

interface DescribedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Record<string, DescribedBody>;
}

/** The parts of an operation in an OpenAPI document that tests read. */
export interface DescribedOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly {
    name: string;
    in: string;
    description?: string;
    required?: boolean;
    schema: Schema;
  }[];
  readonly requestBody?: { required?: boolean; content: Record<string, DescribedBody> };
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

/** The parts of an OpenAPI document that tests read. */
export interface InterfaceDocument {
  readonly openapi: string;
  readonly info: { readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    schemas: Readonly<Record<string, Schema>>;
    securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
}

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A route of the running variant with what its interface description says of it. */
export interface DescribedRoute extends ServedRoute {
  readonly verb: Verb;
  readonly described: DescribedOperation;
  /** Properties of the request body by name; none where the route takes no body. */
  readonly fields: Readonly<Record<string, Schema>>;
}

/** `POST /v1/login`, as test titles and messages name a route. */
export const nameOfRoute = ({ method, path }: Pick<ServedRoute, 'method' | 'path'>): string =>
  `${method} ${path}`;

/** For browsers, like the pages, which the description leaves out. */
const LEADS_TO_PAGES = '/.well-known/change-password';

/** The description of a service, and the routes that it really serves. */
export class Interface {
  private constructor(
    readonly service: TestService,
    readonly document: InterfaceDocument,
    readonly routes: readonly DescribedRoute[],
  ) {}

  /** Those that the long tests of every route try in the running variant (own-routes.ts). */
  get triedRoutes(): readonly DescribedRoute[] {
    const tried = triedRoutes(this.service.variant);
    return this.routes.filter((route) => tried.has(nameOfRoute(route)));
  }

  static async of(service: TestService): Promise<Interface> {
    const { body } = await request(service.url).get('/docs/openapi.json').expect(200);
    const document = writtenOut(body as object) as InterfaceDocument;
    const routes = service.app
      .get(RouteTable)
      .routes.filter(
        ({ path, method }) =>
          (path.startsWith('/v1/') || servedPath(path) === path) &&
          method !== 'ALL' &&
          path !== LEADS_TO_PAGES,
      )
      .map((route): DescribedRoute => {
        const verb = route.method.toLowerCase() as Verb;
        const described = document.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]?.[verb];
        if (described === undefined) throw new Error(`The description lacks ${nameOfRoute(route)}`);
        const schema = described.requestBody?.content['application/json']?.schema;
        return {
          ...route,
          verb,
          described,
          fields: schema === undefined ? {} : (resolved(document, schema).properties ?? {}),
        };
      });
    return new Interface(service, document, routes);
  }

  resolve(schema: Schema): Schema {
    return resolved(this.document, schema);
  }

  /** A body with a plausible value in every field. */
  exampleBody(route: DescribedRoute): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(route.fields).map(([name, schema]) => [name, this.exampleOf(name, schema)]),
    );
  }

  /** A body with a plausible value in every required field, which the route accepts. */
  smallestBody(route: DescribedRoute): Record<string, unknown> {
    const schema = route.described.requestBody?.content['application/json']?.schema;
    const required = schema === undefined ? [] : (this.resolve(schema).required ?? []);
    const whole = this.exampleBody(route);
    return Object.fromEntries(required.map((name) => [name, whole[name]]));
  }

  private exampleOf(name: string, schema: Schema): unknown {
    const {
      example,
      examples,
      default: fallback,
      enum: words,
      type,
      format,
      properties,
      minimum,
    } = this.resolve(schema);
    if (name === 'username' || name === 'email') return `example${nextNumber()}@example.com`;
    if (name === 'content') return newPublicKey();
    // No moment that could stand in a document stays in the future.
    if (name === 'expires') return String(Math.floor(Date.now() / 1000) + 86_400);
    const given = example ?? examples?.[0] ?? fallback ?? words?.[0];
    if (given !== undefined && given !== null) return given;
    const kinds = [type].flat();
    if (kinds.includes('integer') || kinds.includes('number')) return Math.max(1, minimum ?? 1);
    if (kinds.includes('boolean')) return true;
    if (kinds.includes('array')) return [];
    if (kinds.includes('object')) {
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([field, inner]) => [field, this.exampleOf(field, inner)]),
      );
    }
    return format === 'password' ? 'Passw0rd-1' : /organisation|Id$/.test(name) ? '1' : 'example';
  }
}

function resolved(document: InterfaceDocument, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : resolved(document, document.components.schemas[name] ?? {});
}

/**
 * A customer of its own for one route, with the records that its path names, made through the interface
 * itself: what stands at `…/contacts/:contactId` was posted to `…/contacts`.
 */
export class Scene {
  private constructor(
    /**
     * Whoever may do it: a service key where only one that names the operation may, the addressed user
     * itself where it may, its manager where no admin may, otherwise an admin.
     */
    readonly caller: ApiClient,
    /** The path of the route below `/v1`, with identifiers in it. */
    readonly path: string,
    /** Whether everything that the path names exists. */
    readonly isComplete: boolean,
  ) {}

  static async of(description: Interface, route: DescribedRoute): Promise<Scene> {
    const { service } = description;
    const { organisationId, custadmin } = await makeCustomer(service);
    const admin = await asAdmin(service);
    const isPersonal = (served: ServedRoute) =>
      served.path.includes(':userId') &&
      served.operation !== undefined &&
      PRIVILEGES[served.operation].self === 'allow';
    await ONE_OF_ORGANISATION[route.path.split('/').at(-1) ?? '']?.(service, organisationId);
    let path = route.path
      .replace(/^\/v1/, '')
      .replace(':organisationId', String(organisationId))
      .replace(':userId', String(custadmin.id));
    let isComplete = true;
    for (const [parameter = ''] of path.matchAll(/:\w+/g)) {
      const collection = route.path.split(`/${parameter}`)[0] as string;
      const maker = description.routes.find(
        ({ path: served, method }) => served === collection && method === 'POST',
      );
      let response: Response | undefined;
      if (maker !== undefined) {
        const target = path.split(`/${parameter}`)[0] as string;
        const byOwner = isPersonal(maker);
        // Under STEP_UP.
        const proof = '6digitCode' in maker.fields && { password: byOwner ? PASSWORD : ADMIN.password };
        response = await (byOwner ? custadmin.client : admin).post(target, {
          ...description.smallestBody(maker),
          ...proof,
        });
      }
      const made = Object.values((response?.body ?? {}) as Record<string, { id?: number } | undefined>)[0];
      const id =
        made?.id ??
        (await STORED[parameter]?.(service, custadmin.id)) ??
        (await putRecord(description, admin, collection, organisationId));
      isComplete &&= id !== undefined;
      path = path.replace(parameter, String(id ?? 1));
    }
    if (route.operation !== undefined && PRIVILEGES[route.operation].serviceKeys === 'byName') {
      const key = await makeServiceKey(service, 1, {
        operations: [route.operation],
        asAdmin: true,
        whitelist: ['127.0.0.1', '::1'],
      });
      return new Scene(key.client, path, isComplete);
    }
    const isForManagers = route.operation !== undefined && PRIVILEGES[route.operation].admin === 'deny';
    return new Scene(isPersonal(route) || isForManagers ? custadmin.client : admin, path, isComplete);
  }
}

/** Records that no request without more makes: a passkey needs an authenticator. */
const STORED: Readonly<Record<string, (service: TestService, userId: number) => Promise<number>>> = {
  ':passkeyId': storePasskey,
};

/** Records of which an organisation has one or none, by the end of their path. */
const ONE_OF_ORGANISATION: Readonly<
  Record<string, (service: TestService, organisationId: number) => Promise<number>>
> = {
  brand: makeBrand,
};

/** A file of each type that a route takes. */
const FILES: readonly (readonly [type: string, file: Buffer])[] = [
  ['application/pdf', PDF],
  ['application/xml', XML],
];

/** The id of a record whose id its maker chooses, where the collection has such. */
async function putRecord(
  description: Interface,
  admin: ApiClient,
  collection: string,
  organisationId: number,
): Promise<number | undefined> {
  const maker = description.routes.find(
    ({ path, method }) =>
      method === 'PUT' && [`${collection}/:entityId`, `${collection}/:documentId`].includes(path),
  );
  if (maker === undefined) return undefined;
  const id = nextNumber();
  const path = `${collection.replace(/^\/v1/, '').replace(':organisationId', String(organisationId))}/${id}`;
  if (maker.described.requestBody?.content['application/pdf'] !== undefined) {
    for (const [type, file] of FILES) {
      const { status } = await admin.put(`${path}?name=example`).type(type).send(file);
      if (status >= 300) return undefined;
    }
    return id;
  }
  const body = { ...description.smallestBody(maker), organisationId };
  const { status } = await admin.put(path, body);
  return status < 300 ? id : undefined;
}
