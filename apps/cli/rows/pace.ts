interface Done {
  readonly rows: number;
  /** From 0 to 1. */
  readonly share: number;
  readonly seconds: number;
}

/** Rows per second and the remaining time, for a progress bar; empty until both are known. */
export function paceOf({ rows, share, seconds }: Done): string {
  if (rows === 0 || share === 0 || seconds === 0) return '';
  const left = Math.round((seconds * (1 - share)) / share);
  const time = left < 120 ? `${left} s` : `${Math.round(left / 60)} min`;
  return `, ${Math.round(rows / seconds)} rows/s${left === 0 ? '' : `, ${time} left`}`;
}
