import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { UsersModule } from '@app/people/users/users.module';
import { AnnounceServiceKeyEndsHandler } from './announce-service-key-ends.handler';
import { ServiceKey } from './service-key.entity';
import { ServiceKeysController } from './servicekeys.controller';
import { SERVICE_KEY_NOTIFICATIONS } from './servicekeys.notifications';
import { ServiceKeysService } from './servicekeys.service';
import { ServiceKeysShapes } from './shapes/servicekeys.shapes';

/** Keys of organisations, as a credential and as a resource. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ServiceKey]),
    NotificationsModule.forFeature(SERVICE_KEY_NOTIFICATIONS),
    UsersModule,
  ],
  controllers: [ServiceKeysController],
  providers: [AnnounceServiceKeyEndsHandler, ServiceKeysService, ServiceKeysShapes],
})
export class ServiceKeysModule {}
