import { fromBytes } from '../../platform/byte-text.ts'
import { AppError } from '../../platform/errors.ts'

/** A command as its shell splits it. Bytes are Latin-1 text, one character per byte. */
export interface SplitCommand {
  /** Empty: there is no command of curl. */
  readonly words: readonly string[]
  readonly notes: Notes
  /** Its standard input, if this is part of the text. */
  readonly input: string | null
}

/** What is not part of the request, such as `| jq` or `$TOKEN`. */
export class Notes {
  readonly texts: string[] = []

  add(given: string): void {
    const text = given.replaceAll(/[\u0001-\u0003]/g, ' ').trim()
    const shown = text.length > 60 ? `${text.slice(0, 40)}…` : text
    if (this.texts.length < 20 && !this.texts.includes(shown)) this.texts.push(shown)
  }

  /** What follows the command. Throws `bad_input` if it has another request. */
  addRest(bytes: string): void {
    if (/[\n;&|][ \t]*(?:curl(?:\.exe)?|invoke-(?:webrequest|restmethod))\s/i.test(bytes)) {
      throw bad('The text has several commands that send requests. Enter one request at a time.')
    }
    if (/[^;&\s]/.test(bytes)) this.add(fromBytes(bytes))
  }
}

export const bad = (message: string): AppError => new AppError('bad_input', message)

export const unterminated = (): AppError => bad('The command ends within quotes. Copy all of it.')

export function isRequest(word: string): boolean {
  return /^(?:(?:.*[/\\])?curl(?:\.exe)?|invoke-(?:webrequest|restmethod)|iwr|irm)$/i.test(word)
}
