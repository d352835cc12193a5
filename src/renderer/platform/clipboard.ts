/** Copies text. Falls back to a selection where a host refuses the asynchronous way. Rejects when both fail. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.setAttribute('aria-hidden', 'true')
    area.className = 'off-screen'
    const before = document.activeElement
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    if (before instanceof HTMLElement) before.focus()
    if (!done)
      throw new Error('The system refused the clipboard. Select the text and copy it by hand.')
  }
}
