import { Controller, Get, Post } from '@nestjs/common';
import { Refuses, RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { TooManyRequests } from '@app/platform/errors/api-error';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { Access, Ctx, PathId } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import type { NotificationDetails, NotificationOrder } from './notification.columns';
import type { NewNotification, NotificationSearch } from './notification-details.types';
import { NotificationsService } from './notifications.service';
import { NotificationsShapes } from './notifications.shapes';

@Controller('organisations/:organisationId/notifications')
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  @Get()
  @Access('notifications.list', 'List the notifications of an organisation')
  @RespondsWith(200, NotificationsShapes, 'list')
  list(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @ListQuery(NotificationsShapes, 'list') request: ListRequest<NotificationOrder, NotificationSearch>,
  ): Promise<Page<NotificationDetails>> {
    return this.notifications.list(caller, organisationId, request);
  }

  @Get('crm')
  @Access('notifications.list', 'List the notifications of group Crm of an organisation')
  @RespondsWith(200, NotificationsShapes, 'list')
  listCrm(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @ListQuery(NotificationsShapes, 'list') request: ListRequest<NotificationOrder, NotificationSearch>,
  ): Promise<Page<NotificationDetails>> {
    return this.notifications.list(caller, organisationId, request, 'Crm');
  }

  @Post()
  @Access(
    'notifications.create',
    'Create a notification of an organisation',
    'A customer posts at most 1,000 in an hour to one organisation and 10,000 in all; an organisation has at most 50,000 that users wrote.',
  )
  @Refuses(new TooManyRequests(3600))
  @RespondsWith(201, NotificationsShapes, 'created')
  create(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(NotificationsShapes, 'create') input: NewNotification,
  ): Promise<NotificationDetails> {
    return this.notifications.create(caller, organisationId, input);
  }
}
