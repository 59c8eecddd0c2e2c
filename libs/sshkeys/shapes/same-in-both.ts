import { ApiProperty } from '@nestjs/swagger';
import { TextField } from '@app/core/wire/fields';
import { changeShape, creationShape, listShape, replyShape, type ListShape } from '@app/core/wire/shapes';
import { DESCRIPTION_MAX_LENGTH, type PublicKey } from '../public-key';
import type { SshKeyDetails, SshKeyInput, SshKeyOrder } from '../ssh-key.values';
import { PublicKeyField } from './public-key-field';
import { SshKeyReply, sshKeyReply } from './ssh-key-reply';

const CONTENT = {
  required: true,
  description: 'OpenSSH one-line format',
  example: 'ssh-ed25519 AAAA… jan@laptop',
};

/** Body of POST. */
export class SshKeyCreation {
  @PublicKeyField(CONTENT)
  content!: PublicKey;

  @TextField({
    max: DESCRIPTION_MAX_LENGTH,
    description: "Without one: the key's comment, or its type and the start of its fingerprint",
    example: 'Laptop of Jan',
  })
  description?: string;
}

/** Body of PUT. */
export class SshKeyChange {
  @PublicKeyField(CONTENT)
  content!: PublicKey;

  @TextField({ max: DESCRIPTION_MAX_LENGTH, required: true, example: 'Laptop of Jan' })
  description!: string;
}

export const creationShapeOfKey = creationShape(SshKeyCreation, (dto): SshKeyInput => ({
  key: dto.content,
  // Nothing but blanks is no description, as on PUT.
  description: dto.description?.trim() === '' ? undefined : dto.description,
}));

export const changeShapeOfKey = changeShape(SshKeyChange, (dto): SshKeyInput => ({
  key: dto.content,
  description: dto.description,
}));

class SshKeyAnswer {
  @ApiProperty({ type: SshKeyReply })
  sshkey!: SshKeyReply;
}

export const singleKeyShape = replyShape(SshKeyAnswer, (key: SshKeyDetails) => ({
  sshkey: sshKeyReply(key),
}));

class SshKeyListAnswer {
  @ApiProperty({ type: [SshKeyReply] })
  sshkeys!: SshKeyReply[];
}

/** The list of keys: the same items in both variants; only Variant A has `tag`. */
export const sshKeyListShape = ({ tag }: { tag: boolean }): ListShape<SshKeyDetails, SshKeyOrder> =>
  listShape<SshKeyDetails, SshKeyListAnswer, SshKeyOrder>(
    SshKeyListAnswer,
    {
      // Every key has the same status, so that ordering by it is ordering by what breaks ties.
      orderBy: {
        id: 'id',
        description: 'description',
        content: 'content',
        status: 'id',
        fingerprint: 'fingerprint',
      },
      search: {},
      tag,
    },
    (page) => ({ sshkeys: page.items.map(sshKeyReply) }),
  );
