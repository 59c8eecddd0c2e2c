import { Module } from '@nestjs/common';
import { AuthModule } from '@app/sign-in/auth/auth.module';
import { Tokens2faShapes } from './shapes/tokens2fa.shapes';
import { Tokens2faController } from './tokens2fa.controller';
import { Tokens2faService } from './tokens2fa.service';

/** The routes of trusted devices, which exist only in Variant A. */
@Module({
  imports: [AuthModule],
  controllers: [Tokens2faController],
  providers: [Tokens2faService, Tokens2faShapes],
})
export class Tokens2faModule {}
