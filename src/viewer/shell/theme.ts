import type { Settings } from '#contract/models.ts'
import { saveText, loadText } from '#renderer/platform/storage.ts'

const key = 'tabscope.page.theme'

/** As it was chosen last, where the browser lets a file remember it. */
export function keptTheme(): Settings['theme'] {
  const kept = loadText(key)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

export function keepTheme(theme: Settings['theme']): void {
  saveText(key, theme)
}
