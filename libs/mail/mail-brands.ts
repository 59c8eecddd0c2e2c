import { Injectable } from '@nestjs/common';
import { type Brand, Brands } from './brands';
import type { WaitingMail } from './mail-source';

/** Organisations whose brands a process keeps. */
const MOST_KEPT = 1000;

/**
 * The brands of mails. A mail says how often brands had changed when it was found: until they change again,
 * the brand of an organisation is looked up once, however many mails it gets.
 */
@Injectable()
export class MailBrands {
  private version: number | undefined;
  private readonly kept = new Map<number | null, Promise<Brand | undefined>>();

  constructor(private readonly brands: Brands) {}

  /** The brand that the mail carries now. */
  async of({
    organisationId,
    brandVersion,
  }: Pick<WaitingMail, 'organisationId' | 'brandVersion'>): Promise<Brand | undefined> {
    if (brandVersion !== this.version || this.kept.size >= MOST_KEPT) this.kept.clear();
    this.version = brandVersion;
    const known = this.kept.get(organisationId);
    if (known !== undefined) return known;
    const found = this.brands.nearest(organisationId);
    this.kept.set(organisationId, found);
    try {
      return await found;
    } catch (error) {
      if (this.kept.get(organisationId) === found) this.kept.delete(organisationId);
      throw error;
    }
  }
}
