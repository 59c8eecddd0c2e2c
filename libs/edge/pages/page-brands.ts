import { Injectable, Optional } from '@nestjs/common';
import { type Brand, Brands } from '@app/mail/brands';

/** The brands of pages. Without the domain of brands all pages are the operator's. */
@Injectable()
export class PageBrands {
  constructor(@Optional() private readonly brands?: Brands) {}

  async nearest(organisationId: number): Promise<Brand | undefined> {
    return this.brands?.nearest(organisationId);
  }
}
