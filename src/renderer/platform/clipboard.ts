/** Copies text. Rejects if the browser denies access. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    throw new Error('The browser denied access to the clipboard. Select the text and copy it.')
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
