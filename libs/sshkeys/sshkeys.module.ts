import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { ConstraintErrorsModule } from '@app/core/errors/constraint-errors.module';
import { DeployKeysController } from './deploy-keys.controller';
import { SshKeysOfRestoredUsers } from './restored-users';
import { SshKeysShapes } from './shapes/sshkeys.shapes';
import { SshKey } from './ssh-key.entity';
import { SshKeyDeletion } from './sshkeys.deletion';
import { SshKeyPersonalData } from './sshkeys.privacy';
import { SshKeysService } from './sshkeys.service';
import { UserSshKeysController } from './user-sshkeys.controller';
import { SSH_KEY_CONSTRAINT_ERRORS } from './sshkeys.errors';

@Module({
  imports: [
    TypeOrmModule.forFeature([SshKey]),
    ConstraintErrorsModule.forFeature(SSH_KEY_CONSTRAINT_ERRORS),
    NotificationsModule,
  ],
  controllers: [UserSshKeysController, DeployKeysController],
  providers: [SshKeysService, SshKeysShapes, SshKeyDeletion, SshKeyPersonalData, SshKeysOfRestoredUsers],
})
export class SshKeysModule {}
