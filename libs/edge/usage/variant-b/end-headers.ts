import type { Settings } from '@app/config/settings';

/** Headers of every response about the end of Variant B (RFC 9745, RFC 8594); empty without the settings. */
export function endHeaders({
  publicUrl,
  variantBEnd: { deprecated, sunset },
}: Pick<Settings, 'publicUrl' | 'variantBEnd'>): Record<string, string> {
  return {
    ...(deprecated !== undefined && {
      Deprecation: `@${deprecated.getTime() / 1000}`,
      // The URL in ASCII, because a header allows no other characters.
      Link: `<${new URL(`${publicUrl}/docs`).href}>; rel="deprecation"`,
    }),
    ...(sunset !== undefined && { Sunset: sunset.toUTCString() }),
  };
}
