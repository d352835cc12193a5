/** Copies text. Falls back to `execCommand` if the host refuses the asynchronous clipboard. Rejects if both fail. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.setAttribute('aria-hidden', 'true')
    area.className = 'off-screen'
    const focused = document.activeElement
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    if (focused instanceof HTMLElement) focused.focus()
    if (!done)
      throw new Error('The system denied access to the clipboard. Select the text and copy it.')
  }
}

/** Copies a secret that `fetch` loads only for this. It is neither shown nor stored on the page. Rejects if the browser denies access. */
export async function copyWhenReady(fetch: () => Promise<string>): Promise<void> {
  const value = await fetch()
  try {
    await navigator.clipboard.writeText(value)
  } catch {
    throw new Error('The browser denied access to the clipboard. Reveal the token, then copy it.')
  }
}
