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

/** No name of a host is long and has digits and letters of both cases, or has them without a hyphen. */
function mixed(run: string): boolean {
  const digits = /\d/.test(run)
  const letters = /[A-Za-z]/.test(run)
  return digits && letters && (/[A-Z]/.test(run) || !run.includes('-') || /^[0-9a-f-]+$/.test(run))
}
