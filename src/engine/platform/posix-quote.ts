import { isUtf8 } from 'node:buffer'
import { hiddenCharacters, escapeControls } from '#shared/text/visible.ts'

/** As one word for a POSIX shell. Inside single quotes only a single quote has a meaning. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

export function plainOrQuoted(text: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text) ? text : quoted(text)
}

/** A URL or a path, quoted only if it must be. */
export function urlWord(text: string): string {
  return /^[\w:/.@%-]+$/.test(text) ? text : quoted(text)
}

/**
 * Quotes Latin-1 text as one word with exactly these bytes. A script is UTF-8, so bytes that are not UTF-8 or not visible are written with `printf`.
 * `bytes` must contain no NUL and not end with a line break, which a shell would remove.
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

/** An interactive zsh without comments would run it as an unknown command, so its words are quoted if necessary. */
export function shellComment(text: string): string {
  const line = escapeControls(text)
  return `# ${/^[A-Za-z0-9 ,.:_/+-]*$/.test(line) ? line : quoted(line)}`
}
