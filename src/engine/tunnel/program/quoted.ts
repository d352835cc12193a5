type Environment = Readonly<Record<string, string | undefined>>

const secretNames = /token|secret|password|credential|api_?key/i
const most = 300

/**
 * What a program said, as it can stand in a sentence: on one line, printable, not long, and without what may be a secret: what the environment
 * has under such a name, what stands behind the word "token", and any long run of letters and digits mixed.
 */
export function quoted(said: string, env: Environment = {}): string {
  let text = said.slice(0, 4000)
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value.length >= 4 && secretNames.test(name)) {
      text = text.replaceAll(value, '…')
    }
  }
  text = text
    .replaceAll(/\u001b\[[0-?]*[ -/]*[@-~]/gu, '')
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .replaceAll(/((?:auth)?token["']?\s*[:=]\s*["']?)[^\s"',]+/giu, '$1…')
    .replaceAll(/[A-Za-z0-9_-]{24,}/g, (run) => (mixed(run) ? '…' : run))
    .trim()
  // Half a character, where it is cut in the middle of one, would not print.
  return text.length > most ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…` : text
}

/** Names of hosts are long too, but hardly have a part that is long and mixed, nor digits beside capitals. */
function mixed(run: string): boolean {
  const isMixed = (text: string) => /\d/.test(text) && /[A-Za-z]/.test(text)
  if (!isMixed(run)) return false
  return (
    /[A-Z]/.test(run) ||
    /^[0-9a-f-]+$/.test(run) ||
    run.split(/[-_]/).some((part) => part.length >= 16 && isMixed(part))
  )
}
