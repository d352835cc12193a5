import type { TunnelFailure } from '../provider.ts'

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

/** What a line of a program's output means. Most mean nothing. */
export type ProgramLine =
  /** Its public address, as it stands there: anything at all. */
  | { readonly what: 'address'; readonly text: string }
  /** How many of its connections to its server are open, of how many. */
  | { readonly what: 'connections'; readonly open: number; readonly most: number }
  /** Nothing will come of it. */
  | { readonly what: 'failed'; readonly failure: TunnelFailure }

/** Reads what one run of a program says. */
export interface ProgramReader {
  /** The line as somebody would tell it: without the time, and what else is there for machines. */
  words(text: string): string
  line(text: string): readonly ProgramLine[]
  /** What it ended of, where what it said is known; null: it is not. */
  failure(): TunnelFailure | null
}

/** A program that makes a tunnel, for as long as it runs. */
export interface TunnelProgram {
  /** Its name on the path, and in sentences. */
  readonly name: string
  /** Where it is to be had, as the end of a sentence. */
  readonly from: string
  /** What it is started with to lead to the port, on 127.0.0.1. */
  args(port: number, options: Readonly<Record<string, string>>): string[]
  /** Variables that would make another tunnel of it. */
  readonly withoutVariables: readonly string[]
  /** `quote`: what was said as it can stand in a sentence. */
  reader(quote: (text: string) => string): ProgramReader
}
