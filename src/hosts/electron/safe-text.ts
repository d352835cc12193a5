import { escapeControls } from '#shared/text/visible.ts'

const MAX_LENGTH = 60

/** For a notification, tooltip or menu: no control characters, bidirectional marks, markup (Linux) or access keys. */
export function safeText(text: string): string {
  const shown = escapeControls(text)
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('&', '＆')
    .trim()
  if (shown.length <= MAX_LENGTH) return shown
  // Half a surrogate pair would be shown as a question mark.
  return `${shown.slice(0, MAX_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
