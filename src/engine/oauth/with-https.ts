/** The text as an https address; null where that makes no sense either. */
export function withHttps(text: string): string | null {
  const whole = `https://${text.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')}`
  return !whole.startsWith('https:///') && URL.canParse(whole) ? whole : null
}
