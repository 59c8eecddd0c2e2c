import { sshKeyListShape } from '../same-in-both';
import { SshKeysShapes } from '../sshkeys.shapes';

/** SSH keys in Variant A. */
export class SshKeysShapesA extends SshKeysShapes {
  readonly list = sshKeyListShape({ tag: true });
}
