import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/platform/errors/api-error';
import { PasskeyChallenge } from './passkey-challenge.entity';
import { Passkey } from './passkey.entity';
import { PASSKEY_CONSTRAINT_ERRORS } from './passkey.types';
import { PasskeyChallengeRecords, PasskeyRecords, PasskeysCleanUp } from './passkeys.lifecycle';

/** The stored passkeys, also where no route serves them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Passkey, PasskeyChallenge]),
    ConstraintErrorsModule.forFeature(PASSKEY_CONSTRAINT_ERRORS),
  ],
  providers: [PasskeyChallengeRecords, PasskeyRecords, PasskeysCleanUp],
})
export class PasskeysModule {}
