import type { ApiPropertyOptions } from '@nestjs/swagger';

/** How the interface description shows preferences, shown or sent. */
export const PREFERENCES = {
  darkTheme: { description: 'Whether the panel is shown in dark colours' },
  shortcuts: {
    description: 'Objects that only the client understands, kept as they are: at most 16,384 bytes of JSON',
  },
} as const satisfies Readonly<Record<string, ApiPropertyOptions>>;
