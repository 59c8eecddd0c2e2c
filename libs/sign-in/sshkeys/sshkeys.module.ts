import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { AuthorizedKeysController } from './authorized-keys.controller';
import { AuthorizedKeysService } from './authorized-keys.service';
import { SshKeysShapes } from './shapes/sshkeys.shapes';
import { SshKey } from './ssh-key.entity';
import { DeployKeysController, UserSshKeysController } from './sshkeys.controller';
import { SSH_KEY_NOTIFICATIONS } from './sshkeys.notifications';
import { SshKeysService } from './sshkeys.service';

@Module({
  imports: [TypeOrmModule.forFeature([SshKey]), NotificationsModule.forFeature(SSH_KEY_NOTIFICATIONS)],
  controllers: [UserSshKeysController, DeployKeysController, AuthorizedKeysController],
  providers: [AuthorizedKeysService, SshKeysService, SshKeysShapes],
})
export class SshKeysModule {}
