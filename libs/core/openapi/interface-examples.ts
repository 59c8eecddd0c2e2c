/** A whole body, and what it is an example of. */
export interface BodyExample {
  readonly summary: string;
  readonly value: unknown;
}

/** One request of an operation that succeeds, and the response to it; what the operation has of them. */
export interface ExchangeExample {
  readonly request?: BodyExample;
  readonly response?: BodyExample;
  readonly csv?: BodyExample;
}

/** The examples of the running variant by operation, `GET /organisations`; `npm run docs:openapi` writes them. */
export abstract class InterfaceExamples {
  abstract readonly byOperation: Readonly<Record<string, ExchangeExample>>;
}
