/** Copies text. Rejects if the browser denies access. `instead`: what the user can do then. */
export async function copyText(
  text: string,
  instead = 'Select the text and copy it.',
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    throw new Error(`The browser denied access to the clipboard. ${instead}`)
  }
}
