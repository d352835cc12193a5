import { isUtf8 } from 'node:buffer'
import { hiddenCharacters, visible } from '#shared/text/visible.ts'

/** One word of a POSIX shell: nothing has a meaning between single quotes but the one that ends them. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** As `quoted`, but a word that means nothing else is left as it is. */
export function plainOrQuoted(text: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text) ? text : quoted(text)
}

/**
 * Latin-1 text, one character a byte, as one word that holds these very bytes. A script is UTF-8, so what is no UTF-8, or would not show,
 * is printed by the shell. `bytes` holds neither NUL nor a line break at its end, which a shell would lose.
 */
export function bytesWord(bytes: string): string {
  const buffer = Buffer.from(bytes, 'latin1')
  const text = isUtf8(buffer) ? buffer.toString('utf8') : null
  if (text !== null && text.search(hiddenCharacters) === -1) return quoted(text)
  return bytes
    .split(/([^ -~]+)/)
    .filter(Boolean)
    .map((part) => (/^[ -~]/.test(part) ? quoted(part) : `"$(printf '${octal(part)}')"`))
    .join('')
}

function octal(bytes: string): string {
  return [...Buffer.from(bytes, 'latin1')]
    .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
    .join('')
}

/**
 * A comment of one line. Pasted into a shell that knows no comments at its prompt (zsh), it is an unknown command: its words must mean
 * nothing there either.
 */
export function shellComment(text: string): string {
  const line = visible(text)
  return `# ${/^[A-Za-z0-9 ,.:_/+-]*$/.test(line) ? line : quoted(line)}`
}
