import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Brands } from '@app/mail/brands';
import { BrandChangeCount, BrandOfOrganisation } from './brand.entity';
import { BrandsController } from './brands.controller';
import { BrandsService } from './brands.service';
import { BrandsShapes } from './brands.shapes';

/**
 * Mails and pages in the name of a reseller. Global, because the delivery of mails, which lies below, asks it
 * for them.
 */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([BrandOfOrganisation, BrandChangeCount])],
  controllers: [BrandsController],
  providers: [BrandsService, BrandsShapes, { provide: Brands, useExisting: BrandsService }],
  exports: [Brands],
})
export class BrandsModule {}
