import type { EntityManager } from 'typeorm';
import { TrustedDevice } from './trusted-device.entity';

/** Ends the trust in every device of a user: its next login asks for a code again. */
export async function forgetDevices(manager: EntityManager, userId: number): Promise<void> {
  await manager.delete(TrustedDevice, { userId });
}

/** Ends the trust in one device of a user at once: neither its token nor its look spares the code any more. */
export async function forgetDevice(manager: EntityManager, userId: number, id: number): Promise<boolean> {
  const { affected } = await manager.delete(TrustedDevice, { id, userId });
  return affected !== 0;
}
