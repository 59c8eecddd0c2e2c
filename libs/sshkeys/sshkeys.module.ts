import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeployKeysController } from './deploy-keys.controller';
import { SshKey } from './ssh-key.entity';
import { SshKeysService } from './sshkeys.service';
import { UserSshKeysController } from './user-sshkeys.controller';

@Module({
  imports: [TypeOrmModule.forFeature([SshKey])],
  controllers: [UserSshKeysController, DeployKeysController],
  providers: [SshKeysService],
})
export class SshKeysModule {}
