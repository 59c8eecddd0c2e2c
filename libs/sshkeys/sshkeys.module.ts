import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { ConstraintErrorsModule } from '@app/platform/errors/api-error';
import { AuthorizedKeysController } from './authorized-keys.controller';
import { AuthorizedKeysService } from './authorized-keys.service';
import { DeployKeysController, UserSshKeysController } from './sshkeys.controller';
import { SshKeyRecords } from './sshkeys.lifecycle';
import { SshKeysShapes } from './shapes/sshkeys.shapes';
import { SshKey } from './ssh-key.entity';
import { SshKeysService } from './sshkeys.service';
import { SSH_KEY_CONSTRAINT_ERRORS } from './ssh-key.types';

@Module({
  imports: [
    TypeOrmModule.forFeature([SshKey]),
    ConstraintErrorsModule.forFeature(SSH_KEY_CONSTRAINT_ERRORS),
    NotificationsModule,
  ],
  controllers: [UserSshKeysController, DeployKeysController, AuthorizedKeysController],
  providers: [AuthorizedKeysService, SshKeysService, SshKeysShapes, SshKeyRecords],
})
export class SshKeysModule {}
