import request, { type Test } from 'supertest';
import type { ApiClient } from './client';
import type { ReachableService } from './service';

/** A subject or resource on the wire. */
export interface Named {
  readonly type: string;
  readonly id: string;
}

export interface Question {
  readonly subject: Named;
  readonly action: { readonly name: string };
  readonly resource: Named;
}

export interface Decided {
  readonly decision: boolean;
  readonly context: { readonly reason: string; readonly because: string };
}

/** Most questions of a batch. */
const BATCH = 100;

export const named = (type: string, id: number | string): Named => ({ type, id: String(id) });
export const question = (subject: Named, name: string, resource: Named): Question => ({
  subject,
  action: { name },
  resource,
});

/** Speaks AuthZEN to a service, outside of `/v1`. */
export class AuthzenClient {
  constructor(
    private readonly service: Pick<ReachableService, 'url'>,
    private readonly caller: Pick<ApiClient, 'hash'>,
  ) {}

  post(path: string, body?: object): Test {
    const test = request(this.service.url).post(`/access/v1/${path}`);
    if (this.caller.hash !== undefined) void test.set('Authorization', `Bearer ${this.caller.hash}`);
    return body === undefined ? test : test.send(body);
  }

  async evaluate(asked: Question): Promise<Decided> {
    return (await this.post('evaluation', asked).expect(200)).body as Decided;
  }

  /** All of them, in as many batches as it takes. */
  async evaluateAll(asked: readonly Question[]): Promise<Decided[]> {
    const decided: Decided[] = [];
    for (let at = 0; at < asked.length; at += BATCH) {
      const evaluations = asked.slice(at, at + BATCH);
      const { body } = await this.post('evaluations', { evaluations }).expect(200);
      decided.push(...(body as { evaluations: Decided[] }).evaluations);
    }
    return decided;
  }
}
