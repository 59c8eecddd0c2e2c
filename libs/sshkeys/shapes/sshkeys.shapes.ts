import type { ListShape, ReplyShape, RequestShape } from '@app/core/wire/shapes';
import type { SshKeyDetails, SshKeyInput, SshKeyOrder } from '../ssh-key.values';
import { changeShapeOfKey, creationShapeOfKey, singleKeyShape } from './same-in-both';

/** The request and response shapes of SSH keys and deploy keys, in the running variant. */
export abstract class SshKeysShapes {
  /** Body of POST. */
  readonly creation: RequestShape<SshKeyInput> = creationShapeOfKey;
  /** Body of PUT. */
  readonly change: RequestShape<SshKeyInput> = changeShapeOfKey;
  /** Answer of everything that gives one key. */
  readonly single: ReplyShape<SshKeyDetails> = singleKeyShape;
  /** Answer of the lists. */
  abstract readonly list: ListShape<SshKeyDetails, SshKeyOrder>;
}
