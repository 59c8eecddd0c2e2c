import type { Settings } from '@app/platform/process/settings';

/** Headers of every response about the end of Variant B (RFC 9745, RFC 8594); none without the settings. */
export function endHeaders({
  publicUrl,
  variantBEnd: { deprecated, sunset },
}: Pick<Settings, 'publicUrl' | 'variantBEnd'>): Record<string, string> {
  return {
    ...(deprecated !== undefined && {
      Deprecation: `@${deprecated.getTime() / 1000}`,
      // The URL in ASCII: a header takes no other characters.
      Link: `<${new URL(`${publicUrl}/docs`).href}>; rel="deprecation"`,
    }),
    ...(sunset !== undefined && { Sunset: sunset.toUTCString() }),
  };
}
