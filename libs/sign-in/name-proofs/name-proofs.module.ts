import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '@app/mail/mail.module';
import { UsersModule } from '@app/people/users/users.module';
import { PasswordsModule } from '@app/security/passwords/passwords.module';
import { NameProof } from './name-proof.entity';
import { NameProofs } from './name-proofs';
import { NameProofsController } from './name-proofs.controller';
import { NameProofsService } from './name-proofs.service';
import { NameProofShapes } from './name-proofs.shapes';

/** The links that prove user names (rule recovery 76). */
@Module({
  imports: [TypeOrmModule.forFeature([NameProof]), MailModule, PasswordsModule, UsersModule],
  controllers: [NameProofsController],
  providers: [NameProofs, NameProofShapes, NameProofsService],
  exports: [NameProofShapes, NameProofsService],
})
export class NameProofsModule {}
