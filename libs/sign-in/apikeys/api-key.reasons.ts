/** Reasons of responses about API keys. */
export const API_KEY_REASONS = {
  API_KEY_ROTATED: 'The API key or service key was replaced by a new one',
};

declare module '@app/platform/errors/reasons' {
  interface AnswerReasons extends Record<keyof typeof API_KEY_REASONS, string> {}
}
