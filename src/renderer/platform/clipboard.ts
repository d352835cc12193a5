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

/** Copies a secret that `fetch` gets for this alone: it enters neither the page nor its state. Rejects where the browser refuses. */
export async function copyUnseen(fetch: () => Promise<string>): Promise<void> {
  const value = await fetch()
  try {
    await navigator.clipboard.writeText(value)
  } catch {
    throw new Error('The browser refused the clipboard. Reveal the token, then copy it.')
  }
}
