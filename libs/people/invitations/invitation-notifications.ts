import type { NotificationInput } from '@app/people/notifications/notification-kind';
import { fullNameOf } from '@app/people/users/user-names';
import type { Caller } from '@app/security/access/caller';
import type { InvitationToSend } from './invitation-mail';

export type StoredInvitation = Omit<InvitationToSend, 'organisationName' | 'inviterName'>;

/**
 * The parts of a notification of an invitation that are the same for a new one and for one
 * that goes to another address.
 */
export const notificationOf = ({ actorId }: Caller, invitation: StoredInvitation): NotificationInput => ({
  organisationId: invitation.organisationId,
  entity: { id: invitation.id, name: fullNameOf(invitation) },
  userId: actorId,
  params: { email: invitation.email },
});

/** The invited person as a recipient of the notification. */
export const recipientOf = (invitation: StoredInvitation) => ({
  fullName: fullNameOf(invitation),
  language: invitation.language,
  value: invitation.email,
});
