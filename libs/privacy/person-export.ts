import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import { Transactions } from '@app/core/database/transactions';
import { orderedProviders } from '@app/core/discovery/ordered-providers';
import { PersonalData, type StoredRecord } from '@app/core/privacy/personal-data';
import { KnownPeople, rangesOf } from './known-people';

/** One part of an export: what it is, and the records as they come from the database. */
export interface ExportedPart {
  readonly name: string;
  readonly about: string;
  readonly records: AsyncIterable<StoredRecord>;
}

const ABOUT_AUDIT =
  'What was changed, by the person or in what is the person’s, from which address. It is kept so that misuse can be found out.';

/** Reads all that is stored about a person. */
@Injectable()
export class PersonExport {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly transactions: Transactions,
    private readonly people: KnownPeople,
  ) {}

  async *parts(userId: number): AsyncGenerator<ExportedPart> {
    const { person, traces, lastRow } = await this.people.know(userId);
    for (const part of orderedProviders(this.discovery, PersonalData)) {
      const records = this.records([(manager) => part.stored(manager, person)]);
      yield { name: part.part, about: part.about, records };
    }
    const pieces = [...rangesOf(lastRow)].map(
      ([from, to]) =>
        (manager: EntityManager) =>
          traces.stored(manager, from, to),
    );
    yield { name: 'audit', about: ABOUT_AUDIT, records: this.records(pieces) };
  }

  private async *records(
    pieces: readonly ((manager: EntityManager) => Promise<StoredRecord[]>)[],
  ): AsyncGenerator<StoredRecord> {
    for (const piece of pieces) yield* await this.transactions.run(piece, { isLong: true });
  }
}
