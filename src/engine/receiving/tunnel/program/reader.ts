import type { TunnelFailure } from '../provider.ts'

type Environment = Readonly<Record<string, string | undefined>>

const secretNames = /token|secret|password|credential|api_?key/i
const maxProcessed = 4000
const maxShown = 300

/**
 * Output that is safe in a message: one line, printable, truncated, and without possible secrets: values of environment variables with a secret-like
 * name, values after the word "token", and long runs of mixed letters and digits.
 */
export function quoted(output: string, env: Environment = {}): string {
  // Half a secret would not be recognized, so no word is cut.
  const limited =
    output.length > maxProcessed ? output.slice(0, maxProcessed).replace(/(?<!\S)\S+$/, '') : output
  let text = limited.replaceAll(/\u001b\[[0-?]*[ -/]*[@-~]/gu, '')
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value.length >= 4 && secretNames.test(name)) {
      text = text.replaceAll(value, '…')
    }
  }
  text = text
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .replaceAll(/((?:auth)?token["']?\s*[:=]\s*["']?)[^\s"',]+/giu, '$1…')
    .replaceAll(/[A-Za-z0-9_-]{24,}/g, (run) => (looksSecret(run) ? '…' : run))
    .trim()
  // Do not leave half a surrogate pair at the end.
  return text.length > maxShown
    ? `${text.slice(0, maxShown).replace(/[\uD800-\uDBFF]$/, '')}…`
    : text
}

const isMixed = (text: string) => /\d/.test(text) && /[A-Za-z]/.test(text)

/** Host names are long too, but rarely have a long mixed part or digits next to capitals. */
function looksSecret(run: string): boolean {
  if (!isMixed(run)) return false
  return (
    /[A-Z]/.test(run) ||
    /^[0-9a-f-]+$/.test(run) ||
    run.split(/[-_]/).some((part) => part.length >= 16 && isMixed(part))
  )
}

export type ProgramLine =
  /** The public URL as printed, not validated. */
  | { readonly what: 'address'; readonly text: string }
  /** Open connections to the tunnel's server, of how many. */
  | { readonly what: 'connections'; readonly open: number; readonly most: number }
  | { readonly what: 'failed'; readonly failure: TunnelFailure }

export interface ProgramReader {
  /** Without the time and other fields for machines. */
  messageOf(text: string): string
  line(text: string): readonly ProgramLine[]
  /** Null if the output does not explain it. */
  failure(): TunnelFailure | null
}

export interface TunnelProgram {
  /** On the path and in messages. */
  readonly name: string
  /** Where to get it, as the end of a sentence. */
  readonly from: string
  /** For a tunnel to the port on 127.0.0.1. */
  args(port: number, options: Readonly<Record<string, string>>): string[]
  /** Environment variables that would change which tunnel is opened. */
  readonly withoutVariables: readonly string[]
  /** `quote` makes output safe to use in a message. */
  reader(quote: (text: string) => string): ProgramReader
}
