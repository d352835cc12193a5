import { visible } from '#shared/text/visible.ts'

/** Maximum length of a name in the system's interface, in characters. */
const MAX_LENGTH = 60

/**
 * Makes untrusted text safe for a notification, a tooltip or a menu: no control characters, no bidirectional marks, no markup (Linux) or access keys, and a
 * limited length.
 */
export function safeText(text: string): string {
  const shown = visible(text).replaceAll('<', '‹').replaceAll('>', '›').replaceAll('&', '＆').trim()
  if (shown.length <= MAX_LENGTH) return shown
  // Half a surrogate pair would be shown as a question mark.
  return `${shown.slice(0, MAX_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
