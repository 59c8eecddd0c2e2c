import { ApiProperty } from '@nestjs/swagger';
import type { MadeRecoveryCodes, RecoveryCodeCount } from '../recovery-codes.types';

/** How many recovery codes a user has. */
export class RecoveryCodeCountResponse {
  @ApiProperty({
    type: 'integer',
    description: 'Codes that were not used',
    minimum: 0,
    maximum: 10,
    example: 9,
  })
  left!: number;

  @ApiProperty({
    description: 'When the set was made, in Unix seconds; empty: there is none',
    example: '1767225600',
  })
  dtCreated!: string;
}

/** Response of GET. */
export class RecoveryCodesResponse {
  @ApiProperty({ type: RecoveryCodeCountResponse, description: 'The set, without its codes' })
  recoveryCodes!: RecoveryCodeCountResponse;
}

/** A new set, the only time that its codes are shown. */
export class RecoveryCodeSetResponse extends RecoveryCodeCountResponse {
  @ApiProperty({
    type: [String],
    description: 'Each is good once in the place of `6digitCode`; answered this once',
    example: ['7k3xp-q0w9d'],
  })
  codes!: string[];
}

/** Response of POST. */
export class MadeRecoveryCodesResponse {
  @ApiProperty({
    type: RecoveryCodeSetResponse,
    description: 'The set that takes the place of the one before',
  })
  recoveryCodes!: RecoveryCodeSetResponse;
}

const toCount = ({ left, createdAt }: RecoveryCodeCount): RecoveryCodeCountResponse => ({
  left,
  dtCreated: String(createdAt ?? ''),
});

export const toRecoveryCodesResponse = (count: RecoveryCodeCount): RecoveryCodesResponse => ({
  recoveryCodes: toCount(count),
});

export const toMadeRecoveryCodesResponse = (made: MadeRecoveryCodes): MadeRecoveryCodesResponse => ({
  recoveryCodes: { ...toCount(made), codes: [...made.codes] },
});
