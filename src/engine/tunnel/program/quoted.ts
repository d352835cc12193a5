type Environment = Readonly<Record<string, string | undefined>>

const secretNames = /token|secret|password|credential|api_?key/i
/** So much is looked at, and so much is shown of it, in UTF-16 units. */
const longest = 4000
const most = 300

/**
 * What a program said, as it can stand in a sentence: on one line, printable, not long, and without what may be a secret: what the environment
 * has under such a name, what stands behind the word "token", and any long run of letters and digits mixed.
 */
export function quoted(said: string, env: Environment = {}): string {
  // Not in the middle of a word, which may be a secret that is not known by its half.
  const whole = said.length > longest ? said.slice(0, longest).replace(/(?<!\S)\S+$/, '') : said
  let text = whole.replaceAll(/\u001b\[[0-?]*[ -/]*[@-~]/gu, '')
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value.length >= 4 && secretNames.test(name)) {
      text = text.replaceAll(value, '…')
    }
  }
  text = text
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .replaceAll(/((?:auth)?token["']?\s*[:=]\s*["']?)[^\s"',]+/giu, '$1…')
    .replaceAll(/[A-Za-z0-9_-]{24,}/g, (run) => (mixed(run) ? '…' : run))
    .trim()
  // Half a character, where it is cut in the middle of one, would not print.
  return text.length > most ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…` : text
}

const isMixed = (text: string) => /\d/.test(text) && /[A-Za-z]/.test(text)

/** Names of hosts are long too, but hardly have a part that is long and mixed, nor digits beside capitals. */
function mixed(run: string): boolean {
  if (!isMixed(run)) return false
  return (
    /[A-Z]/.test(run) ||
    /^[0-9a-f-]+$/.test(run) ||
    run.split(/[-_]/).some((part) => part.length >= 16 && isMixed(part))
  )
}
