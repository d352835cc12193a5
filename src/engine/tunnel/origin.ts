/**
 * The origin that a text is ("https://hooks.example.test"): http or https, a host, perhaps a port, perhaps one slash. Null for anything else, so
 * also for credentials, a path, a query, and for what the parser would mend in silence (a backslash, a line break).
 */
export function originOf(text: string): string | null {
  if (text.length > 2000 || !/^https?:\/\/[^\s/\\?#@\p{C}]+\/?$/iu.test(text)) return null
  if (!URL.canParse(text)) return null
  const { origin, hostname } = new URL(text)
  return hostname === '' ? null : origin
}
