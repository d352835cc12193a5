import { visible } from '#shared/text/visible.ts'

/** Characters of a name that the system is given to show. */
const LENGTH = 60

/**
 * Text of others for a notification, a tooltip or a menu: no control characters, no marks that turn the writing, nothing that a desktop takes
 * for markup (Linux) or for an access key, and not longer than one looks at.
 */
export function safeText(text: string): string {
  const shown = visible(text).replaceAll('<', '‹').replaceAll('>', '›').replaceAll('&', '＆').trim()
  if (shown.length <= LENGTH) return shown
  // Half a character would be shown as a question mark.
  return `${shown.slice(0, LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
