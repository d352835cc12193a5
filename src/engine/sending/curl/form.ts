import { createHash } from 'node:crypto'

export interface Part {
  readonly name: string
  readonly value: string
  readonly type: string | undefined
}

/** A part of `-F`, also in double quotes and with `;type=`, or of `--form-string`. Null: it has other attributes, or no name. */
export function readPart(written: string, hasAttributes: boolean): Part | null {
  const [, name, given = ''] = /^([^=]*)=([^]*)$/.exec(written) ?? []
  if (name === undefined) return null
  if (!hasAttributes) return { name, value: given, type: undefined }
  const quoted = given.startsWith('"') ? given.slice(0, endOfQuoted(given)) : undefined
  const content = quoted?.slice(1, -1)
  const bare = given.split(';', 1)[0] ?? ''
  const rest = /^(?:[ \t]*;[ \t]*type=([^;]+))?$/.exec(given.slice((quoted ?? bare).length))
  return rest && { name, value: content?.replaceAll(/\\(["\\])/g, '$1') ?? bare, type: rest[1] }
}

function endOfQuoted(text: string): number {
  let at = 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** The body of a multipart form, as curl writes it, and its content type. The boundary is made from the parts. */
export function multipart(parts: readonly Part[], type: string): [string, string] {
  const disposition = type.startsWith('multipart/form-data') ? 'form-data' : 'attachment'
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  const boundary = `------------------------${hash.slice(0, 16)}`
  const written = parts.map(({ name, value, type: own }) => {
    const shown = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
    const content = own === undefined ? '' : `\r\nContent-Type: ${own}`
    return `--${boundary}\r\nContent-Disposition: ${disposition}; name="${shown}"${content}\r\n\r\n${value}\r\n`
  })
  return [`${written.join('')}--${boundary}--\r\n`, `${type}; boundary=${boundary}`]
}
