import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '@app/users/users.module';
import { RecoveryMailHandler } from './recovery-mail.handler';
import { RecoveryRequest } from './recovery-request.entity';
import { RecoveryController } from './recovery.controller';
import { RecoveryService } from './recovery.service';

@Module({
  imports: [TypeOrmModule.forFeature([RecoveryRequest]), UsersModule],
  controllers: [RecoveryController],
  providers: [RecoveryMailHandler, RecoveryService],
})
export class RecoveryModule {}
