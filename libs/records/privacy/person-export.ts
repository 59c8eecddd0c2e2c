import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PersonalData, StoredRecord } from '@app/lifecycle/personal-data';
import { Transactions } from '@app/platform/database/transactions';
import type { RequestContext } from '@app/security/context/request-context';
import { rangesOf } from './audit-traces';
import { KnownPeople } from './known-people';

/** A part of an export. Its records are streamed from the database. */
export interface ExportedPart {
  readonly name: string;
  readonly about: string;
  readonly records: AsyncIterable<StoredRecord>;
}

const ABOUT_AUDIT =
  'What was changed, by the person or in what is the person’s, from which address. It is kept so that misuse can be found out.';

/** Reads all stored data of a person. */
@Injectable()
export class PersonExport {
  /** In the order of export and erasure. */
  personalData: readonly PersonalData[] = [];

  constructor(
    private readonly transactions: Transactions,
    private readonly people: KnownPeople,
  ) {}

  async *parts(ctx: RequestContext, userId: number): AsyncGenerator<ExportedPart> {
    const { person, traces, lastRow } = await this.people.load(ctx, userId);
    for (const part of this.personalData) {
      const records = this.records(ctx, [(manager) => part.stored(manager, person)]);
      yield { name: part.part, about: part.about, records };
    }
    const pieces = [...rangesOf(lastRow)].map(
      ([from, to]) =>
        (manager: EntityManager) =>
          traces.stored(manager, from, to),
    );
    yield { name: 'audit', about: ABOUT_AUDIT, records: this.records(ctx, pieces) };
  }

  private async *records(
    ctx: RequestContext,
    pieces: readonly ((manager: EntityManager) => Promise<StoredRecord[]>)[],
  ): AsyncGenerator<StoredRecord> {
    for (const piece of pieces) yield* await this.transactions.run(ctx, piece, { isLong: true });
  }
}
