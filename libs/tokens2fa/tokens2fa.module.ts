import { Module } from '@nestjs/common';
import { AuthModule } from '@app/auth/auth.module';
import { Tokens2faShapes } from './shapes/tokens2fa.shapes';
import { Tokens2faController } from './tokens2fa.controller';
import { Tokens2faService } from './tokens2fa.service';

/** Trusted devices over HTTP, which exist in Variant A only. */
@Module({
  imports: [AuthModule],
  controllers: [Tokens2faController],
  providers: [Tokens2faService, Tokens2faShapes],
})
export class Tokens2faModule {}
